import { sign } from "node:crypto";
import type { PackFailure } from "../pack-failure.ts";
import { NAMESPACE } from "./allowed-signer.ts";
import type { PublicKey } from "./public-key.ts";
import { type AskPassphrase, readPrivateKey } from "./read-private-key.ts";
import { readPublicKey } from "./read-public-key.ts";
import { signWithAgent } from "./ssh-agent.ts";
import {
  isSignatureOf,
  messageToSign,
  readRawSignature,
  renderSshSignature,
  type SshSignature,
} from "./ssh-signature.ts";
import { MalformedError } from "./ssh-wire.ts";

/** What signs: the text of a private key, or a key that an SSH agent holds. */
export type SignWith =
  | { readonly key: string; readonly passphrase?: AskPassphrase; readonly agent?: never }
  | {
      readonly agent: {
        /** Which of its keys: the line of the `.pub` file. */
        readonly publicKey: string;
        /** As `SSH_AUTH_SOCK` names it. */
        readonly socket: string;
      };
      readonly key?: never;
    };

export interface MadeSignature {
  readonly ok: true;
  /** SSH's own format: `ssh-keygen -Y verify -n skillwright-pack` reads it. */
  readonly text: string;
  readonly publicKey: PublicKey;
}

const PURPOSE = { namespace: NAMESPACE, hashAlgorithm: "sha512" } as const;

export async function makeSignature(
  content: Uint8Array,
  using: SignWith,
  signal?: AbortSignal,
): Promise<MadeSignature | PackFailure> {
  const message = messageToSign(content, PURPOSE);
  if (using.key !== undefined) {
    const read = await readPrivateKey(using.key, using.passphrase);
    if (!read.ok) return read;
    const signature = sign(null, message, read.privateKey);
    return finish({ ...PURPOSE, publicKey: read.publicKey, signature }, content);
  }
  try {
    const publicKey = readPublicKey(using.agent.publicKey);
    const raw = await signWithAgent(using.agent.socket, publicKey, message, signal);
    return finish({ ...PURPOSE, publicKey, ...readRawSignature(raw, publicKey) }, content);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    return {
      ok: false,
      code: signal?.aborted === true ? "canceled" : "source-unreachable",
      message: `the SSH agent did not sign: ${error.message}`,
      hint: "see `ssh-add -l` for the keys it has",
    };
  }
}

/** An agent is another program, and a faulty chip has leaked keys before: what comes out is checked. */
function finish(signature: SshSignature, content: Uint8Array): MadeSignature | PackFailure {
  if (isSignatureOf(signature, content)) {
    return { ok: true, text: renderSshSignature(signature), publicKey: signature.publicKey };
  }
  const message = "the signature that was made does not fit its own key";
  return { ok: false, code: "signature-invalid", message };
}
