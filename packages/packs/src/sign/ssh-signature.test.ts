import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  checkSignature,
  makeSignature,
  messageToSign,
  publicKeyOf,
  readKeyBlob,
  renderPublicKey,
  renderSshSignature,
  SECURITY_KEY,
  sshStrings,
} from "./index.ts";

const hasKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined;
const MANIFEST = Buffer.from('{ "schemaVersion": 1 }\n');

function keygen(input: Uint8Array | undefined, ...args: readonly string[]) {
  const child = spawnSync("ssh-keygen", args, { encoding: "utf8", input });
  return { status: child.status, text: `${child.stdout}${child.stderr}` };
}

function makeKey(type = "ed25519", passphrase = "") {
  const file = join(temporaryFolder(), "key");
  keygen(undefined, "-q", "-t", type, "-N", passphrase, "-C", "me", "-f", file);
  return { file, text: readFileSync(file, "utf8"), line: readFileSync(`${file}.pub`, "utf8") };
}

/** Whether `ssh-keygen -Y verify` believes a signature by the key of a line. */
function opensshAccepts(signature: string, line: string, content: Uint8Array): boolean {
  const folder = temporaryFolder({ signature, signers: `me ${line}\n` });
  const args = ["-Y", "verify", "-n", "skillwright-pack", "-I", "me"];
  const files = ["-f", join(folder, "signers"), "-s", join(folder, "signature")];
  return keygen(content, ...args, ...files).status === 0;
}

function opensshSigns(keyFile: string, namespace: string, ...more: readonly string[]): string {
  const file = join(temporaryFolder(), "manifest.json");
  writeFileSync(file, MANIFEST);
  const made = keygen(undefined, "-Y", "sign", "-n", namespace, "-f", keyFile, ...more, file);
  if (made.status !== 0) throw new Error(made.text);
  return readFileSync(`${file}.sig`, "utf8");
}

async function signed(key: string): Promise<string> {
  const made = await makeSignature(MANIFEST, { key });
  if (!made.ok) throw new Error(made.message);
  return made.text;
}

function outcome(text: string, content: Uint8Array = MANIFEST): string {
  const checked = checkSignature(text, content);
  return checked.ok ? checked.fingerprint : `${checked.code}: ${checked.message}`;
}

function pemKey(): { key: string; privateKey: KeyObject; fingerprint: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  return { key, privateKey, fingerprint: publicKeyOf(privateKey).fingerprint };
}

/** What a security key would answer; it signs a hash together with whether it was touched. */
function securityKeySignature(flags: number): { text: string; line: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const application = Buffer.from("ssh:");
  const publicKey = readKeyBlob(
    sshStrings(SECURITY_KEY, publicKeyOf(privateKey).point, application),
  );
  const purpose = { namespace: "skillwright-pack", hashAlgorithm: "sha512" } as const;
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  const attested = Buffer.from([flags, 0, 0, 0, 7]);
  const message = Buffer.concat([
    hash(application),
    attested,
    hash(messageToSign(MANIFEST, purpose)),
  ]);
  const signature = sign(null, message, privateKey);
  const text = renderSshSignature({ ...purpose, publicKey, signature, attested });
  return { text, line: renderPublicKey(publicKey) };
}

describe.skipIf(!hasKeygen)("K-04 signatures and ssh-keygen", () => {
  test("K-04 it believes ours, and not for other content or keys", async () => {
    const { text, line } = makeKey();
    const signature = await signed(text);
    expect(opensshAccepts(signature, line, MANIFEST)).toBe(true);
    expect(opensshAccepts(signature, line, Buffer.from("other"))).toBe(false);
    expect(opensshAccepts(signature, makeKey().line, MANIFEST)).toBe(false);
  });

  test("K-04 ours is byte for byte its own", async () => {
    const { file, text } = makeKey();
    expect(await signed(text)).toBe(opensshSigns(file, "skillwright-pack"));
  });

  test("K-04 we believe what it signed, with either hash", () => {
    const { file } = makeKey();
    const fingerprint = keygen(undefined, "-l", "-f", file).text.split(" ")[1];
    expect(outcome(opensshSigns(file, "skillwright-pack"))).toBe(fingerprint);
    const options = ["-O", "hashalg=sha256"];
    expect(outcome(opensshSigns(file, "skillwright-pack", ...options))).toBe(fingerprint);
  });

  test("K-05 we refuse what it signed for something else or with another kind of key", () => {
    const { file } = makeKey();
    expect(outcome(opensshSigns(file, "git"))).toMatch(/^signature-invalid: .*made for "git"/);
    const rsa = makeKey("rsa").file;
    expect(outcome(opensshSigns(rsa, "skillwright-pack"))).toMatch(
      /^signature-invalid: .*only Ed25519/,
    );
  });

  test("K-04 of security keys are believed by both, but by us only when touched", () => {
    const touched = securityKeySignature(1);
    expect(opensshAccepts(touched.text, touched.line, MANIFEST)).toBe(true);
    expect(outcome(touched.text)).toMatch(/^SHA256:/);
    const untouched = securityKeySignature(0);
    expect(opensshAccepts(untouched.text, untouched.line, MANIFEST)).toBe(true);
    expect(outcome(untouched.text)).toMatch(/^signature-invalid: /);
  });
});

describe("K-05 a signature is refused", () => {
  test("K-05 of other content", async () => {
    const { key, fingerprint } = pemKey();
    const text = await signed(key);
    expect(outcome(text)).toBe(fingerprint);
    expect(outcome(text, Buffer.from("{}"))).toMatch(/^signature-invalid: .*not of this manifest/);
  });

  test("K-05 that names another key than it is by", () => {
    const purpose = { namespace: "skillwright-pack", hashAlgorithm: "sha512" } as const;
    const signature = sign(null, messageToSign(MANIFEST, purpose), pemKey().privateKey);
    const publicKey = publicKeyOf(pemKey().privateKey);
    const text = renderSshSignature({ ...purpose, publicKey, signature });
    expect(outcome(text)).toMatch(/^signature-invalid: /);
  });

  test("K-05 over the bare bytes, without its purpose", () => {
    const { privateKey } = pemKey();
    const purpose = { namespace: "skillwright-pack", hashAlgorithm: "sha512" } as const;
    const signature = sign(null, MANIFEST, privateKey);
    const text = renderSshSignature({ ...purpose, publicKey: publicKeyOf(privateKey), signature });
    expect(outcome(text)).toMatch(/^signature-invalid: /);
  });

  test("K-05 cut off, extended or with any bit turned", async () => {
    const text = await signed(pemKey().key);
    const [begin, ...rest] = text.trim().split("\n");
    const end = rest.pop();
    const bytes = Buffer.from(rest.join(""), "base64");
    const armor = (body: Buffer) => `${begin}\n${body.toString("base64")}\n${end}\n`;
    expect(outcome(armor(bytes))).toMatch(/^SHA256:/);
    for (let length = 0; length < bytes.length; length++) {
      expect(outcome(armor(bytes.subarray(0, length)))).toMatch(/^signature-invalid: /);
    }
    expect(outcome(armor(Buffer.concat([bytes, Buffer.alloc(1)])))).toMatch(/^signature-invalid: /);
    // The four bytes of the reserved field's length are not signed, but must be right.
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const turned = Buffer.from(bytes);
      turned[bit >> 3]! ^= 1 << (bit & 7);
      expect(outcome(armor(turned))).toMatch(/^signature-invalid: /);
    }
    expect(outcome(text.slice(0, -10))).toMatch(/^signature-invalid: /);
    expect(outcome(`${text}${text}`)).toMatch(/^signature-invalid: /);
    expect(outcome(`x${text}`)).toMatch(/^signature-invalid: /);
  });

  test("K-05 that is any text, and nothing is thrown", () => {
    const armored = fc.uint8Array({ maxLength: 300 }).map((bytes) => {
      const body = Buffer.concat([Buffer.from("SSHSIG\0\0\0\u0001", "latin1"), bytes]);
      return `-----BEGIN SSH SIGNATURE-----\n${body.toString("base64")}\n-----END SSH SIGNATURE-----\n`;
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), armored), (text) => {
        expect(outcome(text)).toMatch(/^signature-invalid: /);
      }),
    );
    expect(outcome("A".repeat(1_000_000))).toMatch(/too long/);
  });
});
