import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  readPrivateKey,
  readPublicKey,
  readTrustedKeys,
  renderPublicKey,
  sshStrings,
} from "./index.ts";

const hasKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined;
const NOW = new Date("2026-11-15T12:00:00Z");

function keygen(...args: readonly string[]): string {
  const child = spawnSync("ssh-keygen", args, { encoding: "utf8" });
  if (child.status !== 0) throw new Error(child.stderr);
  return child.stdout;
}

function makeKey(type: string, passphrase = ""): { file: string; text: string; line: string } {
  const file = join(temporaryFolder(), "key");
  keygen("-q", "-t", type, "-N", passphrase, "-C", "somebody@host", "-f", file);
  return { file, text: readFileSync(file, "utf8"), line: readFileSync(`${file}.pub`, "utf8") };
}

function lineOf(): { line: string; fingerprint: string } {
  const key = readPublicKey(pemKeys().publicKey);
  return { line: renderPublicKey(key), fingerprint: key.fingerprint };
}

function pemKeys(more: object = {}) {
  return generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem", ...more },
  });
}

async function fingerprintOf(text: string, passphrase?: () => string): Promise<string> {
  const read = await readPrivateKey(text, passphrase);
  return read.ok ? read.publicKey.fingerprint : `${read.code}: ${read.message}`;
}

function trusted(...texts: readonly string[]) {
  const read = readTrustedKeys(texts, NOW);
  return read.ok ? read.keys : `${read.code}: ${read.message}`;
}

describe.skipIf(!hasKeygen)("K-04 keys of ssh-keygen", () => {
  test("K-04 have the fingerprint that it prints, in every form", async () => {
    const { file, text, line } = makeKey("ed25519");
    const printed = keygen("-l", "-f", file).split(" ")[1]!;
    expect(printed).toMatch(/^SHA256:/);
    expect(await fingerprintOf(text)).toBe(printed);
    expect(trusted(line)).toEqual([{ fingerprint: printed, label: "somebody@host" }]);
    expect(await fingerprintOf(text.replaceAll("\n", "\r\n"))).toBe(printed);
  });

  test("K-04 of other kinds are refused", async () => {
    for (const type of ["rsa", "ecdsa"]) {
      const { text, line } = makeKey(type);
      expect(await fingerprintOf(text)).toMatch(/^source-invalid: .*not supported, only Ed25519/);
      expect(trusted(line)).toMatch(/^source-invalid: .*not supported, only Ed25519/);
    }
  });

  test("K-04 with a passphrase are refused with the way out", async () => {
    const read = await readPrivateKey(
      makeKey("ed25519", "correct horse").text,
      () => "correct horse",
    );
    expect(read).toMatchObject({ ok: false, code: "source-invalid" });
    expect(!read.ok && read.hint).toMatch(/ssh-add.*ssh-keygen -p.*ssh-keygen -Y sign/);
  });
});

describe("K-04 private keys", () => {
  test("K-04 are PEM, also encrypted", async () => {
    const plain = pemKeys();
    const fingerprint = readPublicKey(plain.publicKey).fingerprint;
    expect(await fingerprintOf(plain.privateKey)).toBe(fingerprint);
    const locked = pemKeys({ cipher: "aes-256-cbc", passphrase: "secret" });
    expect(await fingerprintOf(locked.privateKey, () => "secret")).toBe(
      readPublicKey(locked.publicKey).fingerprint,
    );
    expect(await fingerprintOf(locked.privateKey, () => "wrong")).toMatch(
      /the passphrase is wrong/,
    );
    expect(await fingerprintOf(locked.privateKey, () => "")).toMatch(/the passphrase is wrong/);
    expect(await fingerprintOf(locked.privateKey)).toMatch(/there is no passphrase/);
  });

  test("K-04 are not public keys, other keys or anything else", async () => {
    const { publicKey, privateKey } = pemKeys();
    expect(await fingerprintOf(publicKey)).toMatch(/it is a public key/);
    expect(await fingerprintOf(lineOf().line)).toMatch(/it is a public key/);
    const x25519 = generateKeyPairSync("x25519").privateKey.export({
      type: "pkcs8",
      format: "pem",
    });
    expect(await fingerprintOf(x25519 as string)).toMatch(/only Ed25519/);
    expect(await fingerprintOf(privateKey.slice(0, 80))).toMatch(/not a PEM private key/);
    expect(await fingerprintOf("x".repeat(100_000))).toMatch(/too long/);
  });

  test("K-05 whose halves do not fit are refused", async () => {
    const point = (line: string) => readPublicKey(line).point;
    const [one, other] = [pemKeys(), pemKeys()];
    const seed = Buffer.from(one.privateKey.split("\n")[1]!, "base64").subarray(-32);
    const key = (shown: Buffer, inner: Buffer, checks = [1, 1], padding = [1, 2, 3]) => {
      const numbers = Buffer.alloc(8);
      numbers.writeUInt32BE(checks[0]!);
      numbers.writeUInt32BE(checks[1]!, 4);
      const secret = Buffer.concat([seed, inner]);
      const section = Buffer.concat([
        numbers,
        sshStrings("ssh-ed25519", inner, secret, "x"),
        Buffer.from(padding),
      ]);
      const count = Buffer.from([0, 0, 0, 1]);
      const publicBlob = sshStrings("ssh-ed25519", shown);
      const body = Buffer.concat([
        Buffer.from("openssh-key-v1\0"),
        sshStrings("none", "none", ""),
        count,
        sshStrings(publicBlob, section),
      ]);
      return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body.toString("base64")}\n-----END OPENSSH PRIVATE KEY-----\n`;
    };
    const mine = point(one.publicKey);
    const yours = point(other.publicKey);
    expect(await fingerprintOf(key(mine, mine))).toBe(readPublicKey(one.publicKey).fingerprint);
    expect(await fingerprintOf(key(yours, mine))).toMatch(/do not belong together/);
    expect(await fingerprintOf(key(yours, yours))).toMatch(/do not belong together/);
    expect(await fingerprintOf(key(mine, mine, [1, 2]))).toMatch(/damaged/);
    expect(await fingerprintOf(key(mine, mine, [1, 1], [1, 3]))).toMatch(/damaged/);
  });
});

describe("K-04 trusted keys", () => {
  test("K-04 are lines, files of lines, PEM and fingerprints", () => {
    const { line, fingerprint } = lineOf();
    const pem = pemKeys().publicKey;
    expect(trusted(`# mine\n\n${line} me at home\n`)).toEqual([
      { fingerprint, label: "me at home" },
    ]);
    expect(trusted(pem)).toEqual([{ fingerprint: readPublicKey(pem).fingerprint }]);
    expect(trusted(fingerprint)).toEqual([{ fingerprint }]);
    expect(trusted()).toEqual([]);
  });

  test("K-04 of an allowed_signers file hold for their purpose and time", () => {
    const { line, fingerprint } = lineOf();
    const label = "me@host,*@team";
    const known = [{ fingerprint, label }];
    const rows: readonly (readonly [options: string, applies: boolean])[] = [
      ["", true],
      ['namespaces="skillwright-pack" ', true],
      ['namespaces="git,skillwright-*" ', true],
      ['namespaces="git,file" ', false],
      ['namespaces="skillwright.pack" ', false],
      ['valid-after="20261115Z" ', true],
      ['valid-after="20261116Z" ', false],
      ['valid-before="20261115130000Z",namespaces="*" ', true],
      ['valid-before="202611151159Z" ', false],
    ];
    for (const [options, applies] of rows) {
      expect(trusted(`${label} ${options}${line} a comment`), options).toEqual(
        applies ? known : [],
      );
    }
  });

  test("K-05 that cannot be understood fail the whole list", () => {
    const { line } = lineOf();
    const bad = [
      "nonsense",
      `a b c ${line}`,
      `* cert-authority ${line}`,
      `* unknown="x" ${line}`,
      `* valid-before="soon" ${line}`,
      `* namespaces="skillwright-pack ${line}`,
      line.replace("ssh-ed25519", "ssh-rsa"),
      line.slice(0, -4),
      `${line}AAAA`,
      "SHA256:short",
      pemKeys().privateKey,
    ];
    for (const text of bad) {
      expect(trusted(lineOf().line, text), text).toMatch(
        /^source-invalid: a trusted key cannot be used/,
      );
    }
    expect(trusted(pemKeys().privateKey)).not.toContain("MC4");
  });

  test("K-05 of any text are read or refused, never thrown at", async () => {
    const { line } = lineOf();
    const mangled = fc
      .tuple(fc.nat(line.length), fc.string())
      .map(([at, text]) => line.slice(0, at) + text);
    const blob = fc
      .uint8Array({ maxLength: 80 })
      .map((bytes) => `ssh-ed25519 ${Buffer.from(bytes).toString("base64")}`);
    const armored = fc.uint8Array({ maxLength: 400 }).map((bytes) => {
      const body = Buffer.concat([Buffer.from("openssh-key-v1\0"), bytes]).toString("base64");
      return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----`;
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), mangled, blob, armored), async (text) => {
        expect(typeof readTrustedKeys([text]).ok).toBe("boolean");
        expect((await readPrivateKey(text, () => "")).ok).toBe(false);
      }),
    );
    const stars = `* namespaces="${"*a".repeat(45)}" ${line}`;
    expect(trusted(stars)).toEqual([]);
    expect(trusted("A".repeat(2_000_000))).toMatch(/too long/);
  });
});
