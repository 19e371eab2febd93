package org.hakam.client

import io.grpc.Attributes
import io.grpc.CallCredentials
import io.grpc.Grpc
import io.grpc.Metadata
import io.grpc.MethodDescriptor
import io.grpc.SecurityLevel
import io.grpc.Status
import io.grpc.TlsChannelCredentials
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.net.InetSocketAddress
import java.security.KeyStore
import java.security.MessageDigest
import java.util.Base64
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ConnectionTest {
    @Test
    fun `with the token one is admitted, without it not`(
        @TempDir folder: File,
    ) {
        val token = "hakam_" + "A".repeat(43)
        val digest = MessageDigest.getInstance("SHA-256").digest(token.toByteArray())
        val hash = digest.joinToString("") { "%02x".format(it) }
        val file = folder.resolve("tokens").apply { writeText("$hash tests\n") }
        Service.start(mapOf("HAKAM_TOKENS_FILE" to file.path)).use { service ->
            Hakam.builder(service.address).plaintext().token(token).build().use { hakam ->
                assertTrue(runBlocking { hakam.games() }.gamesCount > 0)
            }
            Hakam.builder(service.address).plaintext().build().use { hakam ->
                val refused = assertThrows<UnauthenticatedException> { runBlocking { hakam.games() } }
                assertEquals("ADMISSION_REFUSED", refused.reason)
            }
        }
    }

    @Test
    fun `a token does not leave this machine without TLS`() {
        val near = InetSocketAddress("127.0.0.1", 1)
        val far = InetSocketAddress("192.0.2.1", 1)
        assertEquals("Bearer hakam_x", sent(SecurityLevel.NONE, near))
        assertEquals("Bearer hakam_x", sent(SecurityLevel.PRIVACY_AND_INTEGRITY, far))
        assertEquals("UNAUTHENTICATED", sent(SecurityLevel.NONE, far))
        assertEquals("UNAUTHENTICATED", sent(SecurityLevel.INTEGRITY, far))
    }

    @Test
    fun `several addresses share the calls, also with TLS and by name`(
        @TempDir folder: File,
    ) {
        val certificate = Certificate.make(folder)
        val tls = mapOf("HAKAM_TLS_CERT_FILE" to certificate.chain.path, "HAKAM_TLS_KEY_FILE" to certificate.key.path)
        Service.start(tls).use { first ->
            Service.start(tls).use { second ->
                val byName = "localhost:" + second.address.substringAfterLast(":")
                val trusting = TlsChannelCredentials.newBuilder().trustManager(certificate.chain).build()
                Hakam.builder(first.address, byName).credentials(trusting).build().use { hakam ->
                    runBlocking { repeat(4) { hakam.games() } }
                    first.close()
                    runBlocking { repeat(4) { hakam.games() } }
                }
                Hakam.builder(byName).failFast().build().use { hakam ->
                    assertThrows<UnavailableException> { runBlocking { hakam.games() } }
                }
            }
        }
    }

    @Test
    fun `a client's certificate is shown where it is asked for`(
        @TempDir folder: File,
    ) {
        val certificate = Certificate.make(folder)
        val chain = certificate.chain
        val files = mapOf("CERT" to chain, "KEY" to certificate.key, "CLIENT_CA" to chain)
        val settings = files.entries.associate { (name, file) -> "HAKAM_TLS_${name}_FILE" to file.path }
        Service.start(settings).use { service ->
            val known = TlsChannelCredentials.newBuilder().trustManager(chain).keyManager(chain, certificate.key)
            Hakam.builder(service.address).credentials(known.build()).build().use { hakam ->
                assertTrue(runBlocking { hakam.games() }.gamesCount > 0)
            }
            val unknown = TlsChannelCredentials.newBuilder().trustManager(chain).build()
            Hakam.builder(service.address).credentials(unknown).failFast().build().use { hakam ->
                assertThrows<UnavailableException> { runBlocking { hakam.games() } }
            }
        }
    }

    @Test
    fun `a channel of the caller's is used and left open`(): Unit =
        FakeService(null, null).use { fake ->
            Hakam.builder(fake.channel).build().use { assertEquals("fake", runBlocking { it.games() }.release) }
            assertEquals("fake", runBlocking { fake.hakam.games() }.release)
            assertThrows<IllegalStateException> { Hakam.builder(fake.channel).plaintext().build() }
            assertThrows<IllegalStateException> { Hakam.builder(fake.channel).failFast().build() }
        }

    @Test
    fun `the time of a call is that of the client unless it says otherwise`() =
        FakeService().use { fake ->
            Hakam.builder(fake.channel).timeout(java.time.Duration.ofMillis(100)).build().use { hakam ->
                assertEquals(100.milliseconds, hakam.timeout)
                assertThrows<DeadlineExceededException> { runBlocking { hakam.games() } }
            }
            assertEquals(10.seconds, fake.hakam.timeout)
        }

    @Test
    fun `addresses that cannot be are told at once`() {
        assertThrows<IllegalArgumentException> { Hakam.builder() }
        val builder = Hakam.builder("127.0.0.1:1", "127.0.0.1").plaintext()
        val error = assertThrows<IllegalArgumentException> { builder.build() }
        val causes = generateSequence<Throwable>(error) { it.cause }.map { it.message.orEmpty() }
        assertTrue(causes.any { "HOST:PORT" in it }, "$error")
    }

    @Test
    fun `of several hosts none known is unavailable, one known is enough`() {
        Hakam.builder("a.invalid:1", "b.invalid:2").plaintext().failFast().build().use { hakam ->
            val error = assertThrows<UnavailableException> { runBlocking { hakam.games() } }
            assertTrue("a.invalid:1" in error.text, error.text)
        }
        Service.start().use { service ->
            Hakam.builder("a.invalid:1", service.address).plaintext().build().use { hakam ->
                assertTrue(runBlocking { hakam.games() }.gamesCount > 0)
            }
        }
    }

    private fun sent(
        level: SecurityLevel,
        peer: InetSocketAddress,
    ): String? {
        var result: String? = null
        val info =
            object : CallCredentials.RequestInfo() {
                override fun getMethodDescriptor(): MethodDescriptor<*, *> = GameService.LIST_GAMES

                override fun getSecurityLevel() = level

                override fun getAuthority() = "hakam"

                override fun getTransportAttrs() =
                    Attributes.newBuilder().set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, peer).build()
            }
        val applier =
            object : CallCredentials.MetadataApplier() {
                override fun apply(headers: Metadata) {
                    result = headers[Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)]
                }

                override fun fail(status: Status) {
                    result = status.code.name
                }
            }
        AdmissionToken("hakam_x").applyRequestMetadata(info, Runnable::run, applier)
        return result
    }
}

/** A certificate for this machine that signs itself, made by the JDK's own tool. */
private class Certificate(
    val chain: File,
    val key: File,
) {
    companion object {
        fun make(folder: File): Certificate {
            val store = folder.resolve("store.p12")
            val keytool = "${System.getProperty("java.home")}/bin/keytool"
            val key = "-genkeypair -alias a -keyalg EC -groupname secp256r1 -dname CN=hakam"
            val extensions = "-ext san=dns:localhost,ip:127.0.0.1 -ext bc=ca:true"
            val command = "$keytool $key $extensions -storetype PKCS12 -storepass $WORD -keystore ${store.path}"
            check(ProcessBuilder(command.split(" ")).start().waitFor() == 0) { "keytool" }
            val keys = KeyStore.getInstance(store, WORD.toCharArray())
            return Certificate(
                pem(folder, "CERTIFICATE", keys.getCertificate("a").encoded),
                pem(folder, "PRIVATE KEY", keys.getKey("a", WORD.toCharArray()).encoded),
            )
        }

        private const val WORD = "for-tests"

        private fun pem(
            folder: File,
            label: String,
            bytes: ByteArray,
        ): File {
            val lines = Base64.getMimeEncoder(64, byteArrayOf(10)).encodeToString(bytes)
            return folder.resolve(label).apply { writeText("-----BEGIN $label-----\n$lines\n-----END $label-----\n") }
        }
    }
}
