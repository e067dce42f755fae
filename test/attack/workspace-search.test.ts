import { join } from "node:path";
import { expect, it } from "vitest";
import { createWorkspaceTools } from "../../packages/runtime/src/internal/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const HOSTILE_LINE = `${"a".repeat(40)}!`;

/** A busy machine needs its time: only what must be stopped gets little. */
function searchIn(files: Readonly<Record<string, string>>, searchTimeoutSeconds = 30) {
  const root = temporaryFolder(files);
  const tool = createWorkspaceTools({
    root,
    trash: join(root, "trash"),
    searchTimeoutSeconds,
  })
    .tools()
    .find(({ name }) => name === "search_files")!;
  return async (input: object, signal?: AbortSignal) =>
    tool.execute(input, signal === undefined ? {} : { signal });
}

it.each(["(a+)+$", "(a|a)*$", "(a|aa)+$", "(.*a){20}$", "^(([a-z])+.)+[A-Z]([a-z])+$"])(
  "X-10 the pattern %s is stopped, and the process goes on meanwhile",
  async (pattern) => {
    const search = searchIn({ "a.txt": `${HOSTILE_LINE}\n` }, 1);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const result = await search({ pattern });
    clearInterval(timer);
    expect(result).toMatchObject({ ok: false, code: "search-timeout" });
    expect(ticks).toBeGreaterThan(10);
  },
);

it("X-10 gives what was found before the time was over", async () => {
  const files = { "a.txt": `${"b".repeat(1024 * 1024)}\naab\n`, "b.txt": `${HOSTILE_LINE}\n` };
  const search = searchIn(files, 3);
  const result = await search({ pattern: "^aab$|(a+)+$" });
  expect(result).toMatchObject({ ok: true, timedOut: true, matches: [{ path: "a.txt", line: 2 }] });
});

it.each([
  "((a{100}){100}){100}",
  "(?:a{1000}){1000}",
  "(".repeat(500) + ")".repeat(500),
  "(?=".repeat(250) + ")".repeat(250),
  "\\p{L}{1000}".repeat(80),
])("X-10 the pattern %.30s costs neither the process nor its memory", async (pattern) => {
  const search = searchIn({ "a.txt": `${"a".repeat(5000)}\n` });
  expect(await search({ pattern })).toHaveProperty("ok");
  expect(await search({ pattern: "^a" })).toMatchObject({ ok: true, matches: [{ line: 1 }] });
});

it("X-10 a file of nothing but newlines does not exhaust the search", async () => {
  const search = searchIn({ "a.txt": "\n".repeat(9 * 1024 * 1024), "b.txt": "needle\n" });
  const input = { pattern: "needle" };
  expect(await search(input)).toMatchObject({ ok: true, matches: [{ path: "b.txt", line: 1 }] });
});

it("X-10 a .gitignore that nobody can read stops no search", async () => {
  const lines = [
    "[",
    "[z-a]",
    "\\",
    "[!",
    "!",
    "a{9,1}",
    "(",
    "**a**",
    "\\[",
    "[[:foo:]]",
    "/",
    "//",
  ];
  const search = searchIn({ ".gitignore": lines.join("\n"), "b.txt": "needle\n", "[": "needle\n" });
  const result = (await search({ pattern: "needle" })) as { matches: { path: string }[] };
  expect(result.matches.map(({ path }) => path)).toContain("b.txt");
});

it("X-10 a search is aborted in the middle of a pattern", async () => {
  const search = searchIn({ "a.txt": `${HOSTILE_LINE}\n` });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  expect(await search({ pattern: "(a+)+$" }, controller.signal)).toMatchObject({
    code: "aborted",
  });
});

it("X-10 a .gitignore and a glob that are written to last for ever do not", async () => {
  const name = "a".repeat(200);
  const hostile = `${"*a".repeat(30)}*b`;
  const search = searchIn({
    ".gitignore": `${`${hostile}\n`.repeat(50)}${"**/".repeat(40)}x\nkept-out\n`,
    [`${name}/${name}.txt`]: "needle\n",
    "kept-out": "needle\n",
  });
  expect(await search({ pattern: "needle" })).toMatchObject({
    ok: true,
    timedOut: false,
    matches: [{ path: `${name}/${name}.txt` }],
  });
  expect(await search({ pattern: "needle", glob: hostile })).toMatchObject({
    code: "pattern-invalid",
  });
});
