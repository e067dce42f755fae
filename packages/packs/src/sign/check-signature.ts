import { quoteName } from "@skillwright/core/internal";
import type { PackFailure } from "../pack-failure.ts";
import { NAMESPACE } from "./allowed-signer.ts";
import { isSignatureOf, readSshSignature } from "./ssh-signature.ts";
import { MalformedError } from "./ssh-wire.ts";

/** Whether a text is a signature of exactly these bytes, made for packs; and by which key. */
export function checkSignature(
  text: string,
  content: Uint8Array,
): { readonly ok: true; readonly fingerprint: string } | PackFailure {
  try {
    const signature = readSshSignature(text);
    if (signature.namespace !== NAMESPACE) {
      const other = quoteName(signature.namespace, 40);
      return invalid(`it was made for ${other}, not for ${JSON.stringify(NAMESPACE)}`);
    }
    return isSignatureOf(signature, content)
      ? { ok: true, fingerprint: signature.publicKey.fingerprint }
      : invalid("it is not of this manifest");
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    return invalid(error.message);
  }
}

function invalid(reason: string): PackFailure {
  return { ok: false, code: "signature-invalid", message: `the signature is not valid: ${reason}` };
}
