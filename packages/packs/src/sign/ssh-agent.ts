import { connect } from "node:net";
import type { PublicKey } from "./public-key.ts";
import { MalformedError, SshReader, sshStrings } from "./ssh-wire.ts";

const SIGN_REQUEST = 13;
const SIGN_RESPONSE = 14;
const MAX_ANSWER = 64 * 1024;
/** A security key waits for a touch, and a careful agent for a confirmation. */
const PATIENCE_MILLISECONDS = 120_000;

/**
 * Lets an SSH agent sign, so that a key that is encrypted or on a security key needs not be read.
 * Gives the raw signature; throws a `MalformedError` that says what went wrong.
 */
export async function signWithAgent(
  socketPath: string,
  publicKey: PublicKey,
  message: Buffer,
  signal?: AbortSignal,
): Promise<Buffer> {
  const flags = Buffer.alloc(4);
  const parts = [Buffer.from([SIGN_REQUEST]), sshStrings(publicKey.blob, message), flags];
  const answer = new SshReader(await exchange(socketPath, Buffer.concat(parts), signal));
  const [kind] = answer.take(1);
  if (kind !== SIGN_RESPONSE) {
    throw new MalformedError("the agent does not have the key or refused to use it");
  }
  return answer.string();
}

async function exchange(socketPath: string, request: Buffer, signal?: AbortSignal) {
  const socket = connect({ path: socketPath, ...(signal && { signal }) });
  // Not AbortSignal.timeout, which is forgotten when garbage is collected.
  const patience = setTimeout(() => {
    socket.destroy(new Error("it does not answer"));
  }, PATIENCE_MILLISECONDS);
  let received = Buffer.alloc(0);
  try {
    socket.write(sshStrings(request));
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      const length = received.length < 4 ? undefined : received.readUInt32BE();
      if (length !== undefined && length > MAX_ANSWER) break;
      if (length !== undefined && received.length >= 4 + length) {
        return received.subarray(4, 4 + length);
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MalformedError(`the agent cannot be reached: ${reason}`);
  } finally {
    clearTimeout(patience);
    socket.destroy();
  }
  throw new MalformedError("the agent's answer cannot be understood");
}
