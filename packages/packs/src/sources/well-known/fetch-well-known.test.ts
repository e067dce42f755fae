import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchSource, SKILL, skillText } from "../../../../../test/support/fetch-source.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { webSite } from "../../../../../test/support/web-site.ts";
import { resolveLatest, sourceOf } from "../index.ts";

const $schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const NEW = "/.well-known/agent-skills/index.json";
const OLD = "/.well-known/skills/index.json";

const digestOf = (content: string | Uint8Array) =>
  `sha256:${createHash("sha256").update(content).digest("hex")}`;

function archiveOf(name: string, files: Readonly<Record<string, string>>): Buffer {
  const folder = temporaryFolder(files);
  return execFileSync("tar", ["-C", join(folder, name), "-czf", "-", "."]);
}

/** A site with one skill as a file and one as an archive. */
async function site(path = "") {
  const times = archiveOf("", { "SKILL.md": skillText("times"), "references/a.md": "a" });
  const entries = [
    {
      name: "dates",
      type: "skill-md",
      description: "d",
      url: "dates/SKILL.md",
      digest: digestOf(SKILL),
    },
    {
      name: "times",
      type: "archive",
      description: "t",
      url: "/packs/times.tar.gz",
      digest: digestOf(times),
    },
  ];
  const made = await webSite({
    [`${path}${NEW}`]: JSON.stringify({ $schema, more: 1, skills: entries }),
    [`${path}/.well-known/agent-skills/dates/SKILL.md`]: SKILL,
    "/packs/times.tar.gz": times,
  });
  return { ...made, times, entries };
}

describe("v0.2", () => {
  it("K-02 takes every skill with an origin of its own", async () => {
    const { origin, times } = await site();
    const { pack, files, quarantine } = await fetchSource(origin);
    const source = `${origin}/`;
    expect(pack.origin).toEqual({ type: "well-known", source });
    expect(pack.skills.map((skill) => [skill.name, skill.path, skill.origin])).toEqual([
      ["dates", "dates", { type: "well-known", source, path: "dates", integrity: digestOf(SKILL) }],
      ["times", "times", { type: "well-known", source, path: "times", integrity: digestOf(times) }],
    ]);
    expect(Object.keys(files)).toEqual([
      "dates/SKILL.md",
      "times/SKILL.md",
      "times/references/a.md",
    ]);
    expect(readdirSync(quarantine)).toEqual(["pack"]);
  });

  it("K-02 fetches again the one skill, and nothing of the others", async () => {
    const { origin, asked } = await site();
    const { pack } = await fetchSource(`${origin}/#@dates`);
    const own = pack.skills[0]!.origin!;
    const again = await fetchSource(sourceOf(own));
    expect(again.pack.skills).toMatchObject([{ name: "dates", origin: own }]);
    expect(asked).not.toContain("/packs/times.tar.gz");
    const latest = await resolveLatest(own, { cwd: "/", env: {} });
    expect(latest).toEqual({ ok: true, integrity: own.integrity });
    const { failure } = await fetchSource(`${origin}/#@date`);
    expect(failure).toMatchObject({ code: "source-missing", candidates: ["dates"] });
  });

  it("K-02 looks below the path first, then at the root", async () => {
    const below = await site("/docs");
    expect((await fetchSource(`${below.origin}/docs`)).pack.skills).toHaveLength(2);
    const root = await site();
    const { pack } = await fetchSource(`${root.origin}/docs`);
    expect(root.asked.slice(0, 3)).toEqual([`/docs${NEW}`, `/docs${OLD}`, NEW]);
    expect(pack.notes.join()).toContain(`took the index of ${root.origin}`);
  });

  it("K-05 says that a version is not known, and does not guess", async () => {
    const made = await site();
    made.pages[NEW] = JSON.stringify({ $schema: "https://schemas.test/9", skills: made.entries });
    const { failure } = await fetchSource(made.origin);
    expect(failure.code).toBe("source-invalid");
    expect(failure.message).toContain("https://schemas.test/9");
    expect(made.asked).toEqual([NEW]);
  });

  it("K-02 leaves out what it does not know, and says so", async () => {
    const made = await site();
    const more = [
      { ...made.entries[0], name: "other", type: "oci" },
      { ...made.entries[0], name: "no-digest", digest: "md5:1" },
      { ...made.entries[0], name: "../up" },
      { ...made.entries[0] },
      null,
    ];
    made.pages[NEW] = JSON.stringify({ $schema, skills: [...made.entries, ...more] });
    const { pack } = await fetchSource(made.origin);
    expect(pack.skills).toHaveLength(2);
    expect(pack.notes.filter((note) => note.startsWith("left out"))).toHaveLength(5);
  });

  it("K-05 a skill must be the one that was promised", async () => {
    const made = await site();
    const { entries, pages } = made;
    pages[NEW] = JSON.stringify({
      $schema,
      skills: [entries[1], { ...entries[0], name: "other" }],
    });
    const { pack } = await fetchSource(made.origin);
    expect(pack.skills.map(({ name }) => name)).toEqual(["times"]);
    expect(pack.notes.join()).toContain("calls itself dates");
    expect((await fetchSource(`${made.origin}/#@other`)).failure.code).toBe("skill-invalid");
  });
});

describe("v0.1", () => {
  it.each([OLD, NEW])("K-02 takes the files one by one from %s", async (place) => {
    const folder = place.replace("index.json", "");
    const files = ["SKILL.md", "references/a b.md"];
    const made = await webSite({
      [place]: JSON.stringify({ skills: [{ name: "dates", description: "d", files }] }),
      [`${folder}dates/SKILL.md`]: SKILL,
      [`${folder}dates/references/a%20b.md`]: "a",
    });
    const fetched = await fetchSource(made.origin);
    expect(fetched.files).toEqual({ "dates/SKILL.md": SKILL, "dates/references/a b.md": "a" });
    const { pack } = fetched;
    expect(pack.skills[0]?.origin).toEqual({ ...pack.origin, path: "dates" });
    expect(pack.notes.join()).toContain("v0.1");
  });
});

it("K-05 a site without an index, and one that asks who is there", async () => {
  const empty = await webSite({ [NEW]: "<html>a page for everything</html>" });
  const { failure } = await fetchSource(empty.origin);
  expect(failure).toMatchObject({ code: "source-missing" });
  expect(failure.hint).toContain("git+https://");
  const closed = await webSite({ [NEW]: { status: 401 } });
  expect((await fetchSource(closed.origin)).failure.code).toBe("source-unreachable");
});
