package org.hakam.client

import io.grpc.Attributes
import io.grpc.EquivalentAddressGroup
import io.grpc.NameResolver
import io.grpc.NameResolverProvider
import io.grpc.Status
import io.grpc.StatusOr
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.net.UnknownHostException

/** Resolves a list of `HOST:PORT` to all its addresses, for gRPC to balance calls over. */
internal object SeveralAddresses : NameResolverProvider() {
    private const val SCHEME = "hakam-addresses"

    fun target(addresses: List<String>): String =
        URI(SCHEME, "", addresses.joinToString(",", prefix = "/"), null).toString()

    override fun isAvailable(): Boolean = true

    /** Below that of DNS, which stays what an address without a scheme means. */
    override fun priority(): Int = 0

    override fun getDefaultScheme(): String = SCHEME

    override fun newNameResolver(
        target: URI,
        args: NameResolver.Args,
    ): NameResolver? {
        if (target.scheme != SCHEME) return null
        return AddressList(
            target.path
                .removePrefix("/")
                .split(",")
                .map(::HostAndPort),
            args,
        )
    }
}

private class HostAndPort(
    private val text: String,
) {
    private val uri = URI("//$text")

    init {
        require(uri.host != null && uri.port != -1) { "not HOST:PORT: $text" }
    }

    /** Each address with the host by which its certificate is judged. */
    fun resolve(): List<EquivalentAddressGroup> {
        val attributes = Attributes.newBuilder().set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, text).build()
        return InetAddress.getAllByName(uri.host).map {
            EquivalentAddressGroup(InetSocketAddress(it, uri.port), attributes)
        }
    }

    override fun toString(): String = text
}

private class AddressList(
    private val places: List<HostAndPort>,
    private val args: NameResolver.Args,
) : NameResolver() {
    private lateinit var listener: Listener2

    override fun getServiceAuthority(): String = places.first().toString()

    override fun start(listener: Listener2) {
        this.listener = listener
        refresh()
    }

    override fun refresh() {
        val executor = args.offloadExecutor ?: return report(resolve())
        executor.execute { report(resolve()) }
    }

    override fun shutdown(): Unit = Unit

    /** The addresses of all hosts that have one; an error only where none has. */
    private fun resolve(): StatusOr<List<EquivalentAddressGroup>> {
        val unknown = mutableListOf<UnknownHostException>()
        val found =
            places.flatMap {
                try {
                    it.resolve()
                } catch (e: UnknownHostException) {
                    unknown += e
                    emptyList()
                }
            }
        if (found.isNotEmpty()) return StatusOr.fromValue(found)
        val error = Status.UNAVAILABLE.withDescription("no host of $places is known")
        return StatusOr.fromStatus(error.withCause(unknown.first()))
    }

    private fun report(addresses: StatusOr<List<EquivalentAddressGroup>>) {
        args.synchronizationContext.execute {
            listener.onResult2(ResolutionResult.newBuilder().setAddressesOrError(addresses).build())
        }
    }
}
