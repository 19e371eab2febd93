package org.hakam.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.hakam.v1.ApplyMoveResponse;
import org.hakam.v1.ListGamesRequest;
import org.hakam.v1.Rules;
import org.hakam.v1.TjauRules;
import org.hakam.v1.TrixRules;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The client as Java sees it. */
class BlockingTest {
    private static final Rules TJAU = Rules.newBuilder().setTjau(TjauRules.getDefaultInstance()).build();
    private static final Rules TRIX = Rules.newBuilder().setTrix(TrixRules.getDefaultInstance()).build();

    private static Service service;
    private static BlockingHakam hakam;

    @BeforeAll
    static void start() {
        service = Service.start();
        hakam = Hakam.builder(service.getAddress()).plaintext().timeout(Duration.ofSeconds(9)).build().blocking();
    }

    @AfterAll
    static void end() {
        hakam.close();
        service.close();
    }

    @Test
    void aGameIsPlayedToItsEndAndReplayed() {
        BlockingGame game = hakam.newGame(TJAU);
        while (!game.isOver()) {
            game.play(game.moves().get(0).getMove());
        }
        assertEquals(game.getOutcome(), hakam.replay(game.record()).getReplayed().getTurn().getOutcome());
        assertEquals(64, Views.digest(game.view(Views.SPECTATOR)).length());
        assertEquals(game.getPly(), game.getTurn().getPly());
    }

    @Test
    void aSealedGameIsAskedForWithARequestsBuilder() {
        BlockingGame game = hakam.newGame(TRIX, request -> request.setSeal(true).setMakeCredentials(true));
        assertNull(game.getState());
        ByteString mine = game.getOpening().getCredentials(2);
        BlockingGame player = hakam.resume(game.getSealedState(), Map.of(2, mine), 2);
        assertEquals(13, player.view().getTrix().getHandCount());
        BlockingGame joined = hakam.join(game.getOpening(), Map.of(2, mine), 2);

        ApplyMoveResponse answer = game.play(game.moves(true).get(0).getNotation());
        assertTrue(joined.update(answer));
        assertTrue(player.update(game.getSealedState()));
        assertFalse(player.update(game.getSealedState(), game.getTurn(), Duration.ofSeconds(1)));
        assertEquals(2, joined.getSeat());
        assertEquals(game.getEvents(), joined.getEvents());
    }

    @Test
    void credentialsAreGivenBySeat() {
        Map<Integer, ByteString> secrets = Map.of(0, secret(0), 1, secret(1));
        BlockingGame game = hakam.newGame(TJAU, request -> request.setSeal(true), secrets, 0);
        assertEquals(0, game.view().getViewer().getSeat());
        assertEquals(32, Views.credentialSha256(secret(0)).size());
    }

    @Test
    void errorsAreTyped() {
        BlockingGame game = hakam.newGame(TJAU);
        IllegalMoveException illegal = assertThrows(IllegalMoveException.class, () -> game.play("enter"));
        assertEquals("WRONG_PHASE", illegal.getReason());
        assertEquals(Status.Code.FAILED_PRECONDITION, illegal.getCode());
        assertFalse(game.check("enter").getLegal());
        game.play("throw", 0);
        StaleMoveException stale =
                assertThrows(StaleMoveException.class, () -> game.play("throw", 0, List.of(Views.viewerAt(1))));
        assertEquals(0, stale.getExpectedPly());
        assertThrows(DeadlineExceededException.class, () -> hakam.games(Duration.ofNanos(1)));
    }

    @Test
    void everyRpcAndAnyStubIsReachable() {
        ListGamesRequest request = ListGamesRequest.getDefaultInstance();
        String release = hakam.call(GameService.LIST_GAMES, request).getRelease();
        assertEquals(
                release,
                ClientCalls.blockingUnaryCall(
                                hakam.getChannel(), GameService.LIST_GAMES, io.grpc.CallOptions.DEFAULT, request)
                        .getRelease());
        assertEquals(4, hakam.board(TRIX).getSeats());
        assertEquals(32, hakam.prepareGame(TRIX).getCommitment().size());
    }

    @Test
    void anInterruptedThreadStopsWaiting() {
        try (FakeService silent = new FakeService()) {
            BlockingHakam waiting = silent.getHakam().blocking();
            Thread.currentThread().interrupt();
            HakamException error = assertThrows(UnexpectedException.class, waiting::games);
            assertEquals(Status.Code.CANCELLED, error.getCode());
            assertTrue(Thread.interrupted());
        }
    }

    private static ByteString secret(int value) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) value;
        return ByteString.copyFrom(bytes);
    }
}
