import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hostileZip } from "../support/hostile-zip.ts";
import { treeOf } from "../support/pack-world.ts";
import { skillText, writeTree } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));

/** A person with a home, a project, and a shelf of skills. */
class Desk {
  readonly folder = temporaryFolder({
    "home/.bashrc": "mine",
    "project/.git/HEAD": "ref: refs/heads/main\n",
    "project/src/index.ts": "mine",
  });
  readonly project = join(this.folder, "project");
  readonly skills = join(this.project, ".agent/skills");

  run(...args: readonly string[]) {
    const { PATH } = process.env;
    return spawnSync(process.execPath, [BIN, ...args], {
      cwd: this.project,
      encoding: "utf8",
      env: { PATH, HOME: join(this.folder, "home") },
    });
  }

  /** The one JSON document that is printed. */
  json(...args: readonly string[]): {
    readonly status: number | null;
    readonly [key: string]: unknown;
  } {
    const { stdout, status } = this.run(...args, "--json");
    return { ...(JSON.parse(stdout) as object), status };
  }

  /** What a refused install must not touch. */
  get untouched(): Record<string, string> {
    const all = Object.entries(treeOf(this.folder, { skip: ".skillwright" }));
    return Object.fromEntries(
      all.filter(([path, text]) => !text.startsWith("folder ") && !path.startsWith("home/.local")),
    );
  }
}

describe("003 §13 line 4: a zip of skills can be installed, and checks stop bad ones", () => {
  it("K-01 K-02 K-03 K-04 from pack to install, list, verify, uninstall and undo", () => {
    const desk = new Desk();
    writeTree(desk.folder, {
      "shelf/dates/SKILL.md": skillText("dates"),
      "shelf/dates/scripts/run.py": "print(1)\n",
      "shelf/times/SKILL.md": skillText("times"),
    });
    expect(desk.run("pack", "../shelf", "--output", "../skills.zip").status).toBe(0);

    const dry = desk.json("install", "../skills.zip", "--all", "--dry-run");
    expect(dry).toMatchObject({ status: 0, changed: true, dryRun: true });
    expect(existsSync(desk.skills)).toBe(false);

    const installed = desk.json("install", "../skills.zip", "--all");
    expect(installed).toMatchObject({
      status: 0,
      schemaVersion: expect.anything(),
      changed: true,
      skills: [
        { name: "dates", path: ".agent/skills/dates", status: "installed" },
        { name: "times", path: ".agent/skills/times", status: "installed" },
      ],
    });
    expect(desk.json("list", "--source", "project")).toMatchObject({
      skills: [
        expect.objectContaining({ name: "dates" }),
        expect.objectContaining({ name: "times" }),
      ],
    });
    expect(desk.json("verify")).toMatchObject({
      status: 0,
      skills: [{ status: "ok" }, { status: "ok" }],
    });

    expect(desk.run("uninstall", "dates").status).toBe(0);
    expect(existsSync(join(desk.skills, "dates"))).toBe(false);
    expect(desk.run("undo").status).toBe(0);
    expect(readFileSync(join(desk.skills, "dates/scripts/run.py"), "utf8")).toBe("print(1)\n");

    writeFileSync(join(desk.skills, "dates/scripts/run.py"), "print(2)\n");
    expect(desk.json("verify").status).toBe(1);
    expect(desk.run("install", "--frozen").status).toBe(1);
    expect(readFileSync(join(desk.skills, "dates/scripts/run.py"), "utf8")).toBe("print(2)\n");
    rmSync(join(desk.skills, "dates"), { recursive: true });
    expect(desk.run("install", "--frozen").status).toBe(0);
    expect(desk.json("verify").status).toBe(0);
  });

  const GOOD = { name: "good/SKILL.md", content: skillText("good") };
  const bad: readonly (readonly [string, Buffer, RegExp])[] = [
    ["a way up", hostileZip([GOOD, { name: "../../src/index.ts", content: "evil" }]), /"\.\."/],
    ["an absolute path", hostileZip([GOOD, { name: "/etc/evil", content: "evil" }]), /absolute/],
    [
      "a link",
      hostileZip([GOOD, { name: "good/x", content: "/etc", mode: 0o120777 }]),
      /symbolic link/,
    ],
    ["no SKILL.md", hostileZip([{ name: "good/README.md", content: "x" }]), /no SKILL\.md/],
    [
      "a skill without frontmatter",
      hostileZip([{ name: "good/SKILL.md", content: "x" }]),
      /cannot be used/,
    ],
    [
      "too much in it",
      hostileZip([GOOD, { name: "good/x", content: Buffer.alloc(9_000_000) }]),
      /more than/,
    ],
    ["no zip", Buffer.from("hello"), /neither a zip nor a tar/],
  ];
  it.each(bad)(
    "K-05 with %s is refused with the reason, and changes nothing",
    (_, bytes, reason) => {
      const desk = new Desk();
      writeTree(desk.folder, { "project/.agent/skills/mine/SKILL.md": skillText("mine") });
      writeFileSync(join(desk.folder, "bad.zip"), bytes);
      const before = desk.untouched;
      const { status, stdout, stderr } = desk.run("install", "../bad.zip", "--all", "--force");
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(reason);
      expect(desk.untouched).toEqual(before);
      expect(desk.json("list", "--source", "project")).toMatchObject({
        skills: [{ name: "mine" }],
      });
    },
  );

  it("K-05 what is not there, and what is asked for wrongly, have their exit codes", () => {
    const desk = new Desk();
    mkdirSync(join(desk.folder, "empty"));
    expect(desk.run("install", "../nothing.zip").status).not.toBe(0);
    expect(desk.run("uninstall", "nobody").status).toBe(4);
    expect(desk.run("undo").status).toBe(4);
    expect(desk.run("install", "--nonsense").status).toBe(2);
  });
});
