@file:JvmName("Views")

package org.hakam.client

import com.google.protobuf.ByteString
import org.hakam.v1.Spectator
import org.hakam.v1.View
import org.hakam.v1.Viewer
import java.security.MessageDigest

/** Anybody who holds no seat: sees only what is public. */
@JvmField
public val SPECTATOR: Viewer = Viewer.newBuilder().setSpectator(Spectator.getDefaultInstance()).build()

/** The player of a seat, counted from 0: sees his own hand beside what is public. */
public fun viewerAt(seat: Int): Viewer = Viewer.newBuilder().setSeat(seat).build()

/**
 * The digest of a view, in hex: SHA-256 of `hakam/view/v1` and the view's text. That of the
 * spectator's view of a finished game is what a record and `ReplayGame` compare.
 */
public fun View.digest(): String = sha256("hakam/view/v1$text".toByteArray(Charsets.US_ASCII)).toHex()

/**
 * The SHA-256 of a seat's credential: what `NewGame` and `PrepareGame` take, so that the credential
 * itself stays with the player.
 */
public fun credentialSha256(credential: ByteString): ByteString = sha256(credential.toByteArray())

private fun sha256(bytes: ByteArray): ByteString =
    ByteString.copyFrom(MessageDigest.getInstance("SHA-256").digest(bytes))

private fun ByteString.toHex(): String = joinToString("") { "%02x".format(it) }
