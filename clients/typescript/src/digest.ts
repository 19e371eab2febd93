import type { View } from "./gen/hakam/v1/view_pb.js";

/** The digest of a view, in hexadecimal: equal for all who see the same. */
export async function viewDigest(view: Pick<View, "text">): Promise<string> {
  const bytes = await viewSha256(view);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The same as bytes, as a record has it. */
export function viewSha256(view: Pick<View, "text">): Promise<Uint8Array> {
  return sha256(new TextEncoder().encode(`hakam/view/v1${view.text}`));
}

/** A new credential of a seat: 32 secret bytes. */
export function drawCredential(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

/** What a credential is known by: `NewGameRequest.credentialSha256` holds one for each seat. */
export function credentialSha256(credential: Uint8Array): Promise<Uint8Array> {
  return sha256(credential);
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice()));
}
