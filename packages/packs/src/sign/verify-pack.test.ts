import { skillDigest } from "@skillwright/core";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readArchive } from "../archive/index.ts";
import type { SignOptions } from "../index.ts";
import { packSkills, writeZip } from "../pack/index.ts";
import {
  publicKeyOf,
  renderPublicKey,
  signPack,
  type VerifyOptions,
  verifyPack,
  verifyUnpacked,
} from "./index.ts";

const SKILLS = {
  "skills/one/SKILL.md": skillText("one"),
  "skills/one/scripts/run.sh": "#!/bin/sh\n",
  "skills/two/SKILL.md": skillText("two"),
};

interface Key {
  readonly key: string;
  readonly line: string;
  readonly fingerprint: string;
}

function newKey(): Key {
  const { privateKey } = generateKeyPairSync("ed25519");
  const publicKey = publicKeyOf(privateKey);
  const key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  return { key, line: renderPublicKey(publicKey), fingerprint: publicKey.fingerprint };
}

async function newPack(
  files: Readonly<Record<string, string>> = SKILLS,
  format: "zip" | "tar.gz" = "zip",
) {
  const folder = temporaryFolder(files);
  const pack = join(folder, "pack.zip");
  const result = await packSkills({ root: join(folder, "skills"), output: pack, format });
  if (!result.ok) throw new Error(result.message);
  return { folder, pack };
}

async function sign(pack: string, { key }: Key, more: Partial<SignOptions> = {}) {
  const signed = await signPack({ pack, key, ...more } as SignOptions);
  if (!signed.ok) throw new Error(`${signed.code}: ${signed.message}`);
  return signed;
}

async function outcome(pack: string, keys: readonly string[], more: Partial<VerifyOptions> = {}) {
  const verified = await verifyPack({ pack, trustedKeys: keys, ...more });
  if (!verified.ok) return `${verified.code}: ${verified.message}`;
  return verified.trusted ? `trusted ${verified.signer}` : `not trusted ${verified.signer}`;
}

/** The pack again, with its unpacked files changed by somebody. */
async function tampered(pack: string, change: (folder: string) => void): Promise<string> {
  const destination = temporaryFolder();
  const read = await readArchive(pack, { destination });
  if (!read.ok) throw new Error(read.message);
  change(destination);
  const names = readdirSync(destination, { recursive: true, withFileTypes: true });
  const entries = names
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => {
      const path = join(parentPath, name).slice(destination.length + 1);
      return { path, content: readFileSync(join(parentPath, name)), executable: false };
    });
  writeFileSync(pack, await writeZip(entries, { compression: "deflate", ratio: 100 }));
  return pack;
}

describe("K-04 a signed pack", () => {
  test.each(["zip", "tar.gz"] as const)(
    "K-04 as %s is verified against trusted keys",
    async (format) => {
      const { folder, pack } = await newPack(SKILLS, format);
      const key = newKey();
      const signed = await sign(pack, key);
      expect(signed).toMatchObject({
        file: `${pack}.sig`,
        fingerprint: key.fingerprint,
        publicKey: key.line,
      });
      const verified = await verifyPack({ pack, trustedKeys: [newKey().line, key.line] });
      expect(verified).toMatchObject({
        ok: true,
        signer: key.fingerprint,
        trusted: true,
        skills: [
          { name: "one", path: "one", digest: await skillDigest(join(folder, "skills/one")) },
          { name: "two", path: "two", digest: await skillDigest(join(folder, "skills/two")) },
        ],
      });
    },
  );

  test("K-04 by somebody is reported when nobody is trusted", async () => {
    const { pack } = await newPack();
    expect(await outcome(pack, [])).toBe("not trusted undefined");
    const key = newKey();
    await sign(pack, key);
    expect(await outcome(pack, [])).toBe(`not trusted ${key.fingerprint}`);
  });

  test("K-05 by an unknown key, or not at all, is refused when keys are given", async () => {
    const { pack } = await newPack();
    expect(await outcome(pack, [newKey().line])).toMatch(/^signer-unknown: the pack is not signed/);
    expect(await outcome(pack, [newKey().line], { unsigned: "accept" })).toBe(
      "not trusted undefined",
    );
    const key = newKey();
    await sign(pack, key);
    const reason = `signer-unknown: the pack is signed by ${key.fingerprint}, which is not a trusted key`;
    expect(await outcome(pack, [newKey().line])).toBe(reason);
    expect(await outcome(pack, [newKey().line], { unsigned: "accept" })).toBe(reason);
    expect(await outcome(pack, ["# nobody"])).toBe(reason);
    expect(await outcome(pack, ["nonsense"])).toMatch(/^source-invalid: /);
  });

  test("K-04 may have its signature elsewhere; one that is named must be there", async () => {
    const { folder, pack } = await newPack();
    const key = newKey();
    const output = join(folder, "signatures/mine.sig");
    await sign(pack, key, { output });
    expect(await outcome(pack, [key.line])).toMatch(/^signer-unknown: /);
    expect(await outcome(pack, [key.line], { signature: output })).toBe(
      `trusted ${key.fingerprint}`,
    );
    expect(await outcome(pack, [], { signature: join(folder, "no.sig") })).toMatch(
      /^source-missing: /,
    );
  });

  test("K-04 is not signed over by another key unless that is forced", async () => {
    const { pack } = await newPack();
    const [first, second] = [newKey(), newKey()];
    await sign(pack, first);
    await sign(pack, first);
    const refused = await signPack({ pack, key: second.key });
    expect(refused).toMatchObject({ ok: false, code: "name-taken" });
    expect(await outcome(pack, [first.line])).toBe(`trusted ${first.fingerprint}`);
    await sign(pack, second, { force: true });
    expect(await outcome(pack, [second.line])).toBe(`trusted ${second.fingerprint}`);
  });

  test("K-04 that lies unpacked is verified where it is", async () => {
    const { pack } = await newPack();
    const key = newKey();
    const { file } = await sign(pack, key);
    const directory = temporaryFolder();
    await readArchive(pack, { destination: directory });
    const options = { directory, signature: readFileSync(file, "utf8"), trustedKeys: [key.line] };
    expect(await verifyUnpacked(options)).toMatchObject({ ok: true, trusted: true });
    writeFileSync(join(directory, "one/SKILL.md"), "changed");
    expect(await verifyUnpacked(options)).toMatchObject({ ok: false, code: "digest-mismatch" });
  });

  test("K-04 leaves nothing behind where it was unpacked", async () => {
    const own = mkdtempSync(join(tmpdir(), "skillwright-test-"));
    const before = process.env["TMPDIR"];
    onTestFinished(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(own, { recursive: true, force: true });
    });
    const { pack } = await newPack();
    process.env["TMPDIR"] = own;
    await sign(pack, newKey());
    await outcome(pack, []);
    writeFileSync(pack, "no archive");
    await outcome(pack, []);
    expect(readdirSync(own)).toEqual([]);
  });
});

describe("K-05 a signed pack that was tampered with is refused", () => {
  const EDITS: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
    [
      "a changed file",
      (at) => writeFileSync(join(at, "one/SKILL.md"), "evil"),
      /^digest-mismatch: .*changed "one\/SKILL.md"/,
    ],
    [
      "a file more",
      (at) => writeFileSync(join(at, "one/evil.sh"), "evil"),
      /^digest-mismatch: .*not listed "one\/evil.sh"/,
    ],
    [
      "a file less",
      (at) => rmSync(join(at, "one/scripts/run.sh")),
      /^digest-mismatch: .*missing "one\/scripts\/run.sh"/,
    ],
    [
      "a skill more",
      (at) => cpSync(join(at, "one"), join(at, "three"), { recursive: true }),
      /^digest-mismatch: /,
    ],
    ["no manifest", (at) => rmSync(join(at, "manifest.json")), /^lock-invalid: /],
    [
      "a second manifest",
      (at) => (
        mkdirSync(join(at, "META")),
        cpSync(join(at, "manifest.json"), join(at, "META/manifest.json"))
      ),
      /^digest-mismatch: /,
    ],
    [
      "a manifest of other spelling",
      (at) => writeFileSync(join(at, "MANIFEST.JSON"), "{}"),
      /^archive-unsafe: /,
    ],
    [
      "a manifest that is not text",
      (at) => writeFileSync(join(at, "manifest.json"), Buffer.from([0xff, 0xfe])),
      /^lock-invalid: /,
    ],
  ];

  test.each(EDITS)("K-05 %s", async (_, change, reason) => {
    const { pack } = await newPack();
    const key = newKey();
    await sign(pack, key);
    await tampered(pack, change);
    expect(await outcome(pack, [key.line])).toMatch(reason);
    expect(await outcome(pack, [])).toMatch(reason);
  });

  test("K-05 content and manifest changed alike", async () => {
    const { folder, pack } = await newPack();
    const key = newKey();
    await sign(pack, key);
    writeFileSync(join(folder, "skills/one/evil.sh"), "evil");
    await packSkills({ root: join(folder, "skills"), output: pack, format: "zip", force: true });
    expect(await outcome(pack, [key.line])).toMatch(/^signature-invalid: .*not of this manifest/);
    expect(await outcome(pack, [])).toMatch(/^signature-invalid: /);
  });

  test("K-05 the signature of another pack by the same key", async () => {
    const key = newKey();
    const [first, second] = [
      await newPack(),
      await newPack({ "skills/two/SKILL.md": skillText("two") }),
    ];
    await sign(first.pack, key);
    cpSync(`${first.pack}.sig`, `${second.pack}.sig`);
    expect(await outcome(second.pack, [key.line])).toMatch(/^signature-invalid: /);
  });

  test("K-05 a signature that is cut off, empty, huge or no file", async () => {
    const { folder, pack } = await newPack();
    const key = newKey();
    const { file } = await sign(pack, key);
    const text = readFileSync(file, "utf8");
    for (const bad of [text.slice(0, 100), "", text.replace("SSH SIGNATURE", "PGP SIGNATURE")]) {
      writeFileSync(file, bad);
      expect(await outcome(pack, [key.line])).toMatch(/^signature-invalid: /);
    }
    writeFileSync(file, Buffer.alloc(20_000));
    expect(await outcome(pack, [key.line])).toMatch(/^source-unreachable: /);
    expect(await outcome(pack, [key.line], { signature: folder })).toMatch(/^source-unreachable: /);
  });

  test("K-05 and is not signed either, nor is what is no pack", async () => {
    const { folder, pack } = await newPack();
    await tampered(pack, (at) => writeFileSync(join(at, "one/evil.sh"), ""));
    expect(await signPack({ pack, key: newKey().key })).toMatchObject({
      ok: false,
      code: "digest-mismatch",
    });
    const missing = await signPack({ pack: join(folder, "no.zip"), key: newKey().key });
    expect(missing).toMatchObject({ ok: false, code: "source-missing" });
    expect(existsSync(`${pack}.sig`)).toBe(false);
  });
});

const hasAgent = spawnSync("ssh-agent", ["-?"]).error === undefined;

describe.skipIf(!hasAgent)("K-04 an SSH agent", () => {
  function startAgent(): { socket: string; run: (program: string, ...args: string[]) => void } {
    const socket = join(temporaryFolder(), "agent");
    const started = spawnSync("ssh-agent", ["-s", "-a", socket], { encoding: "utf8" });
    const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(started.stdout)?.[1]);
    onTestFinished(() => void process.kill(pid));
    const run = (program: string, ...args: string[]) => {
      const child = spawnSync(program, args, {
        encoding: "utf8",
        env: { ...process.env, SSH_AUTH_SOCK: socket },
      });
      if (child.status !== 0) throw new Error(child.stderr);
    };
    return { socket, run };
  }

  test("K-04 signs with a key that we never see", async () => {
    const { socket, run } = startAgent();
    const file = join(temporaryFolder(), "key");
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file);
    run("ssh-add", "-q", file);
    const publicKey = readFileSync(`${file}.pub`, "utf8");
    const { pack } = await newPack();
    const signed = await signPack({ pack, agent: { socket, publicKey } });
    expect(signed).toMatchObject({ ok: true });
    expect(await outcome(pack, [publicKey])).toMatch(/^trusted SHA256:/);
    const other = { socket, publicKey: newKey().line };
    const refused = await signPack({ pack, agent: other, force: true });
    expect(refused).toMatchObject({ ok: false, code: "source-unreachable" });
    const nowhere = { socket: `${socket}-no`, publicKey };
    const missing = await signPack({ pack, agent: nowhere, force: true });
    expect(missing).toMatchObject({ ok: false, code: "source-unreachable" });
    expect(await outcome(pack, [publicKey])).toMatch(/^trusted SHA256:/);
  });
});
