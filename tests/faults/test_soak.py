"""What the soak calls growth; its load is `make soak`."""

from tests.faults.soak import Load, Sample, Soaked, soak


def soaked(*samples: Sample) -> Soaked:
    return Soaked(list(samples), Load("", 1.0))


def test_what_stays_is_no_growth() -> None:
    assert soaked(*[Sample(60 + tick % 3, 12 + tick % 2) for tick in range(100)]).faults() == []


def test_memory_that_grows_is_seen() -> None:
    (fault,) = soaked(*[Sample(60 + tick / 10, 12) for tick in range(100)]).faults()
    assert fault.startswith("memory")


def test_files_that_stay_open_are_seen() -> None:
    (fault,) = soaked(*[Sample(60, 12 + tick) for tick in range(100)]).faults()
    assert fault.startswith("open files")


def test_the_load_is_measured() -> None:
    result = soak(3, rate=50)
    assert result.load.latencies
    assert result.load.rate == 50
    assert "p99" in result.text()
