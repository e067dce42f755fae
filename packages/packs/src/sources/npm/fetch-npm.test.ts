import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchSource, SKILL, skillText } from "../../../../../test/support/fetch-source.ts";
import { packageRegistry } from "../../../../../test/support/package-registry.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { resolveLatest, sourceOf } from "../index.ts";

// The npm client is the real one; only the registry is a server of the test.

const FILES = {
  "skills/dates/SKILL.md": SKILL,
  "skills/dates/a.md": "a",
  "dist/skills/dates/SKILL.md": SKILL,
  "dist/skills/times/SKILL.md": skillText("times"),
  "test/fixtures/bad/SKILL.md": skillText("bad"),
  "src/index.js": "console.log(1)",
};

describe("a package", () => {
  it("K-02 gives the skills it offers, by version, range and tag", async () => {
    const { env } = await packageRegistry("@acme/pdf", [
      { version: "1.0.0", files: FILES },
      { version: "1.2.0", files: FILES },
      { version: "2.0.0", files: FILES },
    ]);
    const { pack, files } = await fetchSource("npm:@acme/pdf@^1", { env });
    expect(pack.origin).toEqual({
      type: "npm",
      source: "@acme/pdf",
      ref: "^1",
      resolved: "1.2.0",
      integrity: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(Object.keys(files)).toEqual([
      "dist/skills/times/SKILL.md",
      "skills/dates/SKILL.md",
      "skills/dates/a.md",
    ]);
    expect(pack.archive).toMatch(/\.tgz$/);
    const exact = await fetchSource(sourceOf(pack.origin), { env });
    expect(exact.pack.origin).toEqual({ ...pack.origin, ref: "1.2.0" });
    const options = { cwd: "/", env };
    expect(await resolveLatest(pack.origin, options)).toEqual({ ok: true, resolved: "1.2.0" });
    const { ref: _, ...latest } = pack.origin;
    expect(await resolveLatest(latest, options)).toEqual({ ok: true, resolved: "2.0.0" });
  });

  it("K-02 is a skill itself, or names its folders", async () => {
    const { env } = await packageRegistry("root", [
      { version: "1.0.0", files: { "SKILL.md": SKILL } },
    ]);
    const { pack } = await fetchSource("npm:root", { env });
    expect(pack.skills).toMatchObject([{ name: "dates", path: "" }]);
    const named = await packageRegistry("named", [
      {
        version: "1.0.0",
        files: { "agent/dates/SKILL.md": SKILL, "one/SKILL.md": skillText("times") },
        manifest: { skills: ["./agent", "one", "../../etc", "acme/skills#main"] },
      },
    ]);
    const fetched = await fetchSource("npm:named", { env: named.env });
    expect(fetched.pack.skills.map(({ path }) => path)).toEqual(["agent/dates", "one"]);
    expect(fetched.pack.notes.filter((note) => note.startsWith("not followed"))).toHaveLength(2);
  });

  it("K-05 runs no scripts, and reads no settings of the project", async () => {
    const marker = join(temporaryFolder(), "ran");
    const scripts = Object.fromEntries(
      ["prepack", "postpack", "prepare", "preinstall", "install", "postinstall"].map((name) => [
        name,
        `touch ${marker}`,
      ]),
    );
    const { env, asked } = await packageRegistry("pdf", [
      { version: "1.0.0", files: FILES, manifest: { scripts } },
    ]);
    const project = temporaryFolder({
      "package.json": JSON.stringify({ name: "project", workspaces: ["**"], scripts }),
      ".npmrc": "registry=http://127.0.0.1:9/\nignore-scripts=false\n",
    });
    const quarantine = join(project, ".agent", "quarantine");
    mkdirSync(quarantine, { recursive: true });
    const { npm_config_registry: registry, ...rest } = env;
    // By the person's own file, which the project's would come before.
    writeFileSync(join(env["HOME"] ?? "", ".npmrc"), `registry=${registry}\n`);
    const { pack } = await fetchSource("npm:pdf", { env: rest, cwd: project, quarantine });
    expect(pack.skills).toHaveLength(2);
    expect(asked).toContain("/tarballs/1.0.0.tgz");
    expect(existsSync(marker)).toBe(false);
  });
});

describe("what fails", () => {
  it("K-05 a package, version or skill that is not there", async () => {
    const { env } = await packageRegistry("pdf", [{ version: "1.0.0", files: { "a.js": "" } }]);
    const missing = await fetchSource("npm:other", { env });
    expect(missing.failure.code).toBe("source-missing");
    expect((await fetchSource("npm:pdf@^9", { env })).failure.code).toBe("source-missing");
    const { failure, quarantine } = await fetchSource("npm:pdf", { env });
    expect(failure.code).toBe("skill-missing");
    expect(readdirSync(quarantine)).toEqual([]);
  });

  it("K-05 a registry that does not know the person", async () => {
    const { env, pages } = await packageRegistry("pdf", []);
    pages["/pdf"] = { status: 401 };
    const { failure } = await fetchSource("npm:pdf", { env });
    expect(failure).toMatchObject({ code: "source-unreachable" });
    expect(failure.hint).toContain("npm login");
  });

  it("K-05 a tarball that is not what the registry says", async () => {
    const { env, pages } = await packageRegistry("pdf", [{ version: "1.0.0", files: FILES }]);
    pages["/tarballs/1.0.0.tgz"] = "something else";
    expect((await fetchSource("npm:pdf", { env })).failure.code).toBe("digest-mismatch");
  });

  it("K-05 npm that is not installed, with what to install", async () => {
    const { failure } = await fetchSource("npm:pdf", { env: { PATH: temporaryFolder() } });
    expect(failure.code).toBe("program-missing");
    expect(failure.hint).toContain("Install npm");
  });
});
