import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { packSkills } from "../../pack/index.ts";
import { verifyPack, verifySigstore } from "../index.ts";

const ISSUER = "https://token.actions.githubusercontent.com";
const SUBJECT = "https://github.com/team/skills/.github/workflows/release.yml@refs/heads/main";
const SIGNED_AT = Date.parse("2026-06-01T12:00:00Z");
const LOG_ORIGIN = "log.example";

/** What can go wrong with a bundle, by what its maker did. */
interface Making {
  readonly subject?: string;
  readonly issuer?: string;
  readonly withoutTimestampOfCertificate?: boolean;
  readonly withoutLogEntry?: boolean;
  readonly signedAt?: number;
  /** What the log calls itself on its checkpoint. */
  readonly logName?: string;
  /** An attestation with this payload instead of a signature of the pack. */
  readonly statement?: string;
}

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64");

/** An own authority, certificate log and transparency log: everything that Sigstore runs. */
class SmallSigstore {
  readonly #authority = new LogKey();
  readonly #certificateLog = new LogKey();
  readonly #log = new LogKey();
  readonly #authorityName = name("Small Authority");

  get trustedRoot(): object {
    const log = ({ spki, id }: LogKey) => ({
      baseUrl: `https://${LOG_ORIGIN}`,
      hashAlgorithm: "SHA2_256",
      publicKey: {
        rawBytes: base64(spki),
        keyDetails: "PKIX_ECDSA_P256_SHA_256",
        validFor: { start: "2020-01-01T00:00:00Z" },
      },
      logId: { keyId: base64(id) },
    });
    const extensions = [
      extension("2.5.29.19", der(0x30, der(0x01, Buffer.from([0xff])))),
      extension("2.5.29.15", der(0x03, Buffer.from([1, 6]))),
    ];
    const certificate = this.#certificate(this.#authorityName, this.#authority.spki, extensions);
    return {
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [log(this.#log)],
      certificateAuthorities: [
        {
          subject: { organization: "Small", commonName: "Small Authority" },
          uri: "https://authority.example",
          certChain: { certificates: [{ rawBytes: base64(certificate) }] },
          validFor: { start: "2020-01-01T00:00:00Z" },
        },
      ],
      ctlogs: [log(this.#certificateLog)],
      timestampAuthorities: [],
    };
  }

  bundle(artifact: Buffer, making: Making = {}): object {
    const key = new LogKey();
    const certificate = this.#leaf(key, making);
    const payload = Buffer.from(making.statement ?? "");
    const type = "application/vnd.in-toto+json";
    const isStatement = making.statement !== undefined;
    const encoded = Buffer.concat([
      Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `),
      payload,
    ]);
    const signature = key.sign(isStatement ? encoded : artifact);
    const body = isStatement
      ? {
          apiVersion: "0.0.1",
          kind: "dsse",
          spec: {
            payloadHash: { algorithm: "sha256", value: sha256(payload).toString("hex") },
            signatures: [{ signature: base64(signature) }],
          },
        }
      : {
          apiVersion: "0.0.1",
          kind: "hashedrekord",
          spec: {
            data: { hash: { algorithm: "sha256", value: sha256(artifact).toString("hex") } },
            signature: { content: base64(signature) },
          },
        };
    const entries = making.withoutLogEntry === true ? [] : [this.#logEntry(body, making)];
    return {
      mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      verificationMaterial: {
        certificate: { rawBytes: base64(certificate) },
        tlogEntries: entries,
      },
      ...(isStatement
        ? {
            dsseEnvelope: {
              payload: base64(payload),
              payloadType: type,
              signatures: [{ sig: base64(signature) }],
            },
          }
        : {
            messageSignature: {
              messageDigest: { algorithm: "SHA2_256", digest: base64(sha256(artifact)) },
              signature: base64(signature),
            },
          }),
    };
  }

  /** A log with one entry, whose root is the hash of that entry. */
  #logEntry(
    body: { kind: string; apiVersion: string },
    { signedAt = SIGNED_AT, logName = LOG_ORIGIN }: Making,
  ): object {
    const text = JSON.stringify(body);
    const integratedTime = Math.floor(signedAt / 1000);
    const promise = `{"body":"${base64(text)}","integratedTime":${integratedTime},"logID":"${this.#log.id.toString("hex")}","logIndex":0}`;
    const root = sha256(Buffer.concat([Buffer.from([0]), Buffer.from(text)]));
    const note = `${LOG_ORIGIN}\n1\n${base64(root)}\n`;
    const noted = Buffer.concat([this.#log.id.subarray(0, 4), this.#log.sign(Buffer.from(note))]);
    return {
      logIndex: "0",
      logId: { keyId: base64(this.#log.id) },
      kindVersion: { kind: body.kind, version: body.apiVersion },
      integratedTime: String(integratedTime),
      inclusionPromise: { signedEntryTimestamp: base64(this.#log.sign(Buffer.from(promise))) },
      inclusionProof: {
        logIndex: "0",
        rootHash: base64(root),
        treeSize: "1",
        hashes: [],
        checkpoint: { envelope: `${note}\n— ${logName} ${base64(noted)}\n` },
      },
      canonicalizedBody: base64(text),
    };
  }

  #leaf({ spki }: LogKey, making: Making): Buffer {
    const { subject = SUBJECT, issuer = ISSUER } = making;
    const extensions = [
      extension("2.5.29.15", der(0x03, Buffer.from([7, 0x80]))),
      extension("2.5.29.37", der(0x30, oid("1.3.6.1.5.5.7.3.3"))),
      extension("2.5.29.17", der(0x30, der(0x86, Buffer.from(subject)))),
      extension("1.3.6.1.4.1.57264.1.8", der(0x0c, Buffer.from(issuer))),
    ];
    if (making.withoutTimestampOfCertificate !== true) {
      const list = this.#signedCertificateTimestamp(
        this.#certified(Buffer.alloc(0), spki, extensions),
      );
      extensions.push(extension("1.3.6.1.4.1.11129.2.4.2", der(0x04, list)));
    }
    return this.#certificate(Buffer.alloc(0), spki, extensions);
  }

  /** RFC 6962: the log signs the certificate as it is without this very signature. */
  #signedCertificateTimestamp(certified: Buffer): Buffer {
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(SIGNED_AT));
    const preliminary = Buffer.concat([
      sha256(this.#authority.spki),
      uint(3, certified.length),
      certified,
    ]);
    const signed = Buffer.concat([Buffer.from([0, 0]), time, uint(2, 1), preliminary, uint(2, 0)]);
    const signature = this.#certificateLog.sign(signed);
    const head = Buffer.concat([
      Buffer.from([0]),
      this.#certificateLog.id,
      time,
      uint(2, 0),
      Buffer.from([4, 3]),
    ]);
    const timestamp = Buffer.concat([head, uint(2, signature.length), signature]);
    return Buffer.concat([uint(2, timestamp.length + 2), uint(2, timestamp.length), timestamp]);
  }

  #certificate(subject: Buffer, spki: Buffer, extensions: readonly Buffer[]): Buffer {
    const certified = this.#certified(subject, spki, extensions);
    const signature = der(0x03, Buffer.from([0]), this.#authority.sign(certified));
    return der(0x30, certified, ECDSA_SHA256, signature);
  }

  #certified(subject: Buffer, spki: Buffer, extensions: readonly Buffer[]): Buffer {
    const time = (text: string) => der(0x17, Buffer.from(text));
    return der(
      0x30,
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.from([1])),
      ECDSA_SHA256,
      this.#authorityName,
      der(0x30, time("260101000000Z"), time("270101000000Z")),
      subject.length === 0 ? der(0x30) : subject,
      spki,
      der(0xa3, der(0x30, ...extensions)),
    );
  }
}

class LogKey {
  readonly #privateKey: KeyObject;
  readonly spki: Buffer;
  readonly id: Buffer;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = privateKey;
    this.spki = publicKey.export({ type: "spki", format: "der" });
    this.id = sha256(this.spki);
  }

  sign(bytes: Uint8Array): Buffer {
    return sign("sha256", bytes, this.#privateKey);
  }
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const bytes = content.length < 128 ? 0 : content.length < 256 ? 1 : 2;
  const long = bytes === 0 ? [] : [Buffer.from([0x80 | bytes])];
  const length = uint(Math.max(1, bytes), content.length);
  return Buffer.concat([Buffer.from([tag]), ...long, length, content]);
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const digits = [number & 127];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128);
    bytes.push(...digits);
  }
  return der(0x06, Buffer.from(bytes));
}

function uint(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

function name(text: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid("2.5.4.3"), der(0x0c, Buffer.from(text)))));
}

function extension(id: string, value: Buffer): Buffer {
  return der(0x30, oid(id), der(0x04, value));
}

const ECDSA_SHA256 = der(0x30, oid("1.2.840.10045.4.3.2"));

async function world(making: Making | ((pack: Buffer) => Making) = {}) {
  const folder = temporaryFolder({ "skills/one/SKILL.md": skillText("one") });
  const pack = join(folder, "pack.zip");
  await packSkills({ root: join(folder, "skills"), output: pack, format: "zip" });
  const sigstore = new SmallSigstore();
  const trustedRoot = join(folder, "trusted_root.json");
  writeFileSync(trustedRoot, JSON.stringify(sigstore.trustedRoot));
  const content = readFileSync(pack);
  const made = sigstore.bundle(content, typeof making === "function" ? making(content) : making);
  writeFileSync(`${pack}.sigstore.json`, JSON.stringify(made));
  return { folder, pack, trustedRoot, sigstore };
}

async function outcome(
  { pack, trustedRoot }: { pack: string; trustedRoot: string },
  identity = { issuer: ISSUER, subject: SUBJECT },
): Promise<string> {
  const verified = await verifyPack({ pack, trustedKeys: [], sigstore: { trustedRoot, identity } });
  if (!verified.ok) return `${verified.code}: ${verified.message}`;
  return `${verified.trusted ? "trusted" : "not trusted"} ${verified.identity?.subject}`;
}

function statementAbout(digest: string): string {
  return JSON.stringify({
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      { name: "other", digest: { sha256: "0".repeat(64) } },
      { name: "pack.zip", digest: { sha256: digest } },
    ],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {},
  });
}

describe("K-04 a Sigstore bundle", () => {
  test("K-04 of the pack is verified offline, for the signer that is asked for", async () => {
    expect(await outcome(await world())).toBe(`trusted ${SUBJECT}`);
  });

  test("K-04 may be an attestation that names the pack", async () => {
    const made = await world((pack) => ({
      statement: statementAbout(sha256(pack).toString("hex")),
    }));
    expect(await outcome(made)).toBe(`trusted ${SUBJECT}`);
  });

  test("K-05 that attests something else is refused", async () => {
    const other = await world({ statement: statementAbout("1".repeat(64)) });
    expect(await outcome(other)).toMatch(/^signature-invalid: .*not about this pack/);
    for (const statement of ["{}", "null", "no json", '{"subject":[null,{"digest":null}]}']) {
      expect(await outcome(await world({ statement }))).toMatch(
        /^signature-invalid: .*not about this pack/,
      );
    }
  });

  test("K-05 by somebody else is refused: names are compared, not matched", async () => {
    const made = await world();
    const wrong = [
      { issuer: ISSUER, subject: ".*" },
      { issuer: ISSUER, subject: "https://github.com/team/skills" },
      { issuer: ISSUER, subject: `^${SUBJECT}$` },
      { issuer: "https://accounts.example", subject: SUBJECT },
    ];
    for (const identity of wrong)
      expect(await outcome(made, identity)).toMatch(/^signer-unknown: /);
    expect(await outcome(made, { issuer: ISSUER, subject: "" })).toMatch(/^source-invalid: /);
    expect(await outcome(made, { issuer: "", subject: SUBJECT })).toMatch(/^source-invalid: /);
    const longer = await world({ subject: `${SUBJECT}-evil` });
    expect(await outcome(longer)).toMatch(/^signer-unknown: /);
    const otherIssuer = await world({ issuer: `${ISSUER}.evil.example` });
    expect(await outcome(otherIssuer)).toMatch(/^signer-unknown: /);
  });

  test("K-05 that no log vouches for, or from another time, is refused", async () => {
    expect(await outcome(await world({ withoutLogEntry: true }))).toMatch(/^signature-invalid: /);
    expect(await outcome(await world({ withoutTimestampOfCertificate: true }))).toMatch(
      /^signature-invalid: /,
    );
    const late = Date.parse("2027-06-01T00:00:00Z");
    expect(await outcome(await world({ signedAt: late }))).toMatch(/^signature-invalid: /);
  });

  test("K-05 of another pack, or under another root, is refused", async () => {
    const [one, other] = [await world(), await world()];
    const foreign = new SmallSigstore().bundle(readFileSync(one.pack));
    writeFileSync(`${one.pack}.sigstore.json`, JSON.stringify(foreign));
    expect(await outcome(one)).toMatch(/^signature-invalid: /);
    const elsewhere = other.sigstore.bundle(Buffer.from("another pack"));
    writeFileSync(`${other.pack}.sigstore.json`, JSON.stringify(elsewhere));
    expect(await outcome(other)).toMatch(/^signature-invalid: /);
  });

  test("K-05 that is malformed is refused, whatever is in it", async () => {
    const made = await world();
    const file = `${made.pack}.sigstore.json`;
    const text = readFileSync(file, "utf8");
    const bundle = JSON.parse(text) as object;
    const bad = ["", "null", "[]", "{}", "no json", text.slice(0, 500), "[".repeat(100_000)];
    const holes = Object.keys(bundle).map((key) => JSON.stringify({ ...bundle, [key]: null }));
    for (const content of [...bad, ...holes]) {
      writeFileSync(file, content);
      expect(await outcome(made), content.slice(0, 40)).toMatch(/^signature-invalid: /);
    }
    writeFileSync(file, text);
    for (const content of ["", "null", "{}", "[]", '{"tlogs":[{}]}']) {
      writeFileSync(made.trustedRoot, content);
      expect(await outcome(made), content).toMatch(/^signature-invalid: /);
    }
  });

  test("K-05 with a name that is a slow pattern is refused at once", async () => {
    const made = await world({ logName: "(((.+)+)+)+!" });
    expect(await outcome(made)).toMatch(/^signature-invalid: .*a name that is none/);
  });

  test("K-05 that is not there is missing, and so is what checks it", async () => {
    const { folder, pack, trustedRoot } = await world();
    const identity = { issuer: ISSUER, subject: SUBJECT };
    const no = join(folder, "no.json");
    for (const options of [
      { trustedRoot, bundle: no, identity },
      { trustedRoot: no, identity },
    ]) {
      const verified = await verifyPack({ pack, trustedKeys: [], sigstore: options });
      expect(verified).toMatchObject({ ok: false, code: "source-missing" });
    }
    const integrity = `sha256:${sha256(readFileSync(pack)).toString("hex")}`;
    const none = await verifySigstore(
      pack,
      integrity,
      { trustedRoot, identity },
      async () => undefined,
    );
    expect(none).toMatchObject({ ok: false, code: "program-missing" });
    expect(!none.ok && none.hint).toContain("@sigstore/verify");
    const changed = await verifySigstore(pack, `sha256:${"0".repeat(64)}`, {
      trustedRoot,
      identity,
    });
    expect(changed).toMatchObject({ ok: false, code: "signature-invalid" });
  });
});
