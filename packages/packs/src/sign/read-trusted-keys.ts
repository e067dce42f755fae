import { quoteName } from "@skillwright/core/internal";
import type { PackFailure } from "../pack-failure.ts";
import { signerOptionsProblem, splitWords } from "./allowed-signer.ts";
import { readPublicKey } from "./read-public-key.ts";
import { MalformedError } from "./ssh-wire.ts";

/** Somebody whose signature is believed. */
export interface TrustedKey {
  readonly fingerprint: string;
  /** The comment of the key or the principals of its line. */
  readonly label?: string;
}

const MAX_CHARACTERS = 1024 * 1024;
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;
const KEY_TYPE = /^(?:ssh-|sk-ssh-|ecdsa-|sk-ecdsa-|rsa-)/;

/**
 * Keys as people keep them: a PEM public key, lines `ssh-ed25519 AAAA… comment`, lines of an
 * allowed_signers file, bare fingerprints `SHA256:…`. One that cannot be understood is a failure:
 * a list of keys that silently lost one would not be the list that was meant.
 */
export function readTrustedKeys(
  texts: readonly string[],
  now: Date = new Date(),
): { readonly ok: true; readonly keys: readonly TrustedKey[] } | PackFailure {
  const keys: TrustedKey[] = [];
  for (const text of texts) {
    try {
      if (text.length > MAX_CHARACTERS) throw new MalformedError("it is too long");
      if (text.includes("-----BEGIN")) keys.push({ fingerprint: readPublicKey(text).fingerprint });
      else for (const line of text.split(/\r?\n/)) keys.push(...readLine(line.trim(), now));
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error;
      return {
        ok: false,
        code: "source-invalid",
        message: `a trusted key cannot be used: ${error.message}: ${excerpt(text)}`,
        hint: "give an Ed25519 public key: the line of a `.pub` file, a PEM, or its fingerprint",
      };
    }
  }
  return { ok: true, keys };
}

function readLine(line: string, now: Date): TrustedKey[] {
  if (line === "" || line.startsWith("#")) return [];
  if (FINGERPRINT.test(line)) return [{ fingerprint: line }];
  const words = splitWords(line);
  const at = words.findIndex((word) => KEY_TYPE.test(word));
  if (at === -1 || at > 2) throw new MalformedError("there is no key on the line");
  const { fingerprint } = readPublicKey(words.slice(at).join(" "));
  const problem = at === 2 ? signerOptionsProblem(words[1] ?? "", now) : undefined;
  if (problem === "not-now") return [];
  if (problem !== undefined) throw new MalformedError(problem);
  const label = at === 0 ? words.slice(2).join(" ") : (words[0] ?? "");
  return [label === "" ? { fingerprint } : { fingerprint, label }];
}

/** Enough to find it; a private key given by mistake stays private. */
function excerpt(text: string): string {
  return quoteName(text.trim().split("\n", 1)[0] ?? "", 40);
}
