import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { workplace } from "../../../../test/support/workplace.ts";

const SKILLS = {
  "skills/pdf/SKILL.md": skillText("pdf"),
  "skills/pdf/references/FORMS.md": "# Forms\n",
  "skills/csv/SKILL.md": skillText("csv"),
};

describe("skillwright pack", () => {
  it("K-01 names the archive after the one skill, and writes the same bytes again", async () => {
    const { run, json, cwd } = workplace(SKILLS);
    const { exitCode, stdout } = await run("pack", "skills/pdf");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/pdf 2 files sha256:[0-9a-f]{64}\npdf\.zip written, \d+ bytes\n$/);
    const bytes = readFileSync(join(cwd, "pdf.zip"));
    expect(await json("pack", "skills/pdf")).toMatchObject({
      schemaVersion: 1,
      file: join(cwd, "pdf.zip"),
      bytes: bytes.length,
      skills: [{ name: "pdf", status: "unchanged" }],
      problems: expect.any(Array) as unknown[],
    });
    expect(readFileSync(join(cwd, "pdf.zip"))).toEqual(bytes);
  });

  it.each([
    [["skills", "-o", "all.tar.gz"], "all.tar.gz"],
    [["skills"], "skills.zip"],
    [["skills", "--format", "tar.gz"], "skills.tar.gz"],
  ])("K-01 pack %j makes %s, which installs", async (args, file) => {
    const { run, json, cwd } = workplace(SKILLS);
    expect((await run("pack", ...args)).exitCode).toBe(0);
    expect(existsSync(join(cwd, file))).toBe(true);
    expect((await run("verify", file)).stdout).toContain("not signed");
    expect((await json("install", `./${file}`, "--all"))["skills"]).toMatchObject([
      { name: "csv", status: "installed" },
      { name: "pdf", status: "installed" },
    ]);
  });

  it("K-01 writes the files of a static host", async () => {
    const { json, cwd } = workplace(SKILLS);
    const { files } = await json("pack", "skills", "--format", "well-known", "-o", "public");
    expect(files).toContain(join(cwd, "public/.well-known/agent-skills/index.json"));
  });

  it("K-01 K-05 refuses other content at the output, secrets and errors; exit 1", async () => {
    const { run, cwd } = workplace({
      ...SKILLS,
      "pdf.zip": "mine",
      "secret/one/SKILL.md": skillText("one"),
      "secret/one/.env": "API_KEY=abcdefghijklmnopqrstuvwxyz",
      "wrong/two/SKILL.md": "---\nname: [\n---\n",
    });
    const taken = await run("pack", "skills/pdf");
    expect(taken.exitCode).toBe(1);
    expect(taken.stderr).toMatch(/--force|force/);
    expect(readFileSync(join(cwd, "pdf.zip"), "utf8")).toBe("mine");
    expect((await run("pack", "skills/pdf", "--force")).exitCode).toBe(0);
    expect((await run("pack", "secret")).exitCode).toBe(1);
    expect((await run("pack", "wrong")).exitCode).toBe(1);
    expect(existsSync(join(cwd, "one.zip")) || existsSync(join(cwd, "two.zip"))).toBe(false);
    expect((await run("pack", "nowhere")).exitCode).toBe(2);
    expect((await run("pack", "skills", "--format", "rar")).exitCode).toBe(2);
  });
});

const hasKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined;

describe.skipIf(!hasKeygen)("skillwright sign (skipped without ssh-keygen)", () => {
  async function signedPack(config = "{}") {
    const place = workplace(SKILLS, { ".config/skillwright/config.json": config });
    for (const name of ["author", "other"]) {
      const file = join(place.home, name);
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "a $(b)", "-f", file]);
    }
    await place.run("pack", "skills", "-o", "all.zip");
    const sign = () => place.run("sign", "all.zip", "--key", `${place.home}/author`);
    return { ...place, sign, key: `${place.home}/author.pub`, other: `${place.home}/other.pub` };
  }

  it("K-04 says who signed, and how others verify", async () => {
    const { run, json, sign, key, other, cwd } = await signedPack();
    const { exitCode, stdout, stderr } = await sign();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^all\.zip\.sig written, signed by SHA256:[\w+/]{43}\n$/);
    expect(stderr).toMatch(/skillwright verify all\.zip --key 'ssh-ed25519 [^']+'\n/);
    expect((await run("verify", "all.zip", "--key", key)).stdout).toContain("signed by SHA256:");
    const fingerprint = /SHA256:\S+/.exec(stdout)?.[0] ?? "";
    expect(await json("verify", "all.zip", "--key", fingerprint)).toMatchObject({
      skills: [
        { name: "csv", status: "ok" },
        { name: "pdf", status: "ok" },
      ],
      problems: [],
      signer: fingerprint,
      trusted: true,
    });
    const unknown = await run("verify", "all.zip", "--key", other, "--json");
    expect(unknown.exitCode).toBe(1);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: "signer-unknown" } });
    writeFileSync(join(cwd, "all.zip.sig"), "nonsense");
    expect((await run("verify", "all.zip")).exitCode).toBe(1);
  });

  it("K-04 install takes only what is signed by a key that is given or configured", async () => {
    const { run, sign, key, other } = await signedPack();
    const required = ["install", "./all.zip", "--all", "--require-signature", "--key", key];
    expect((await run(...required)).exitCode).toBe(1);
    await sign();
    expect((await run("install", "./all.zip", "--all", "--key", other)).exitCode).toBe(1);
    const { exitCode, stderr } = await run(...required);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("signed by SHA256:");
  });

  it("K-04 keys of the configuration count without a flag, and a flag counts instead", async () => {
    const config = { packs: { trustedKeys: ["~/author.pub"], requireSignature: true } };
    const { run, sign, other } = await signedPack(JSON.stringify(config));
    expect((await run("install", "./all.zip", "--all")).exitCode).toBe(1);
    expect((await run("verify", "all.zip")).exitCode).toBe(1);
    await sign();
    expect((await run("verify", "all.zip", "--key", other)).exitCode).toBe(1);
    expect((await run("verify", "all.zip")).exitCode).toBe(0);
    expect((await run("install", "./all.zip", "--all")).exitCode).toBe(0);
  });

  it("C-01 K-04 wrong keys are exit 2 and nothing of them is printed", async () => {
    const { run, home } = await signedPack();
    expect((await run("sign", "all.zip")).exitCode).toBe(2);
    const absent = await run("sign", "all.zip", "--key", "absent");
    expect(absent.exitCode).toBe(2);
    expect(absent.stderr).toContain("ssh-keygen -t ed25519");
    expect((await run("sign", "all.zip", "--key", `${home}/author.pub`)).stderr).toContain("agent");
    expect((await run("sign", "absent.zip", "--key", `${home}/author`)).exitCode).toBe(4);
    const secret = await run("verify", "all.zip", "--key", `${home}/author`);
    expect(secret.exitCode).toBe(2);
    const lines = readFileSync(join(home, "author"), "utf8").split("\n").slice(1, -2);
    for (const line of lines) expect(secret.stderr).not.toContain(line);
  });
});
