import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { findReferences } from "../../internal/index.ts";

describe("findReferences", () => {
  it.each([
    ["[a](references/a.md)", "references/a.md"],
    ["[a](./references/a.md)", "references/a.md"],
    ["[a](references/a.md#part)", "references/a.md"],
    ["[a](a.md?raw)", "a.md"],
    ["[a](<a.md>)", "a.md"],
    ['[a](a.md "A title")', "a.md"],
    ["[a]( a.md 'A title' )", "a.md"],
    ["![a](assets/a.png)", "assets/a.png"],
    ["[a](my%20file.md)", "my file.md"],
    ["[a](%E5%A5%BD.md)", "好.md"],
    ["[a](100%.md)", "100%.md"],
    ["[a](../b/SKILL.md)", "../b/SKILL.md"],
    ["[a](%2e%2e/b.md)", "../b.md"],
    ["[a](references/)", "references/"],
    ["[a]: references/a.md", "references/a.md"],
    ["   [a b]: <a.md> 'title'", "a.md"],
  ])("F-09 finds the link in %j", (body, path) => {
    expect(findReferences(body).map((found) => [found.kind, found.path])).toEqual([["link", path]]);
  });

  it.each([
    ["Run scripts/run.py first.", "scripts/run.py"],
    ["Run `scripts/run.py`.", "scripts/run.py"],
    ["Run ./scripts/a/b/run.py", "scripts/a/b/run.py"],
    ["python ${CLAUDE_SKILL_DIR}/scripts/run.py", "scripts/run.py"],
    ["python $SKILL_DIR/scripts/run.py", "scripts/run.py"],
    ["python {baseDir}/scripts/run.py", "scripts/run.py"],
    ["See references/a.md.", "references/a.md"],
    ["See reference/a.md, then go on", "reference/a.md"],
    ["(assets/a-b_c.tar.gz)", "assets/a-b_c.tar.gz"],
    ['"assets/好.md"', "assets/好.md"],
    ["```sh\nbash scripts/run.sh\n```", "scripts/run.sh"],
  ])("F-09 finds the mention in %j", (body, path) => {
    expect(findReferences(body).map((found) => [found.kind, found.path])).toEqual([
      ["mention", path],
    ]);
  });

  it.each([
    "[a](https://a.example/scripts/a.py)",
    "[a](mailto:a@b.example)",
    "[a](#part)",
    "[a](/etc/passwd)",
    "[a](~/a.md)",
    "[a](C:/a.md)",
    "[a]({{path}})",
    "[a]($FILE)",
    "[a](*.md)",
    "[a]()",
    "`[a](a.md)`",
    "```\n[a](a.md)\n```",
    "https://a.example/scripts/run.py",
    "other/scripts/run.py",
    "../scripts/run.py",
    "/scripts/run.py",
    "myscripts/run.py",
    "scripts/run",
    "scripts/*.py",
    "scripts/{name}.py",
    "scripts/<name>.py",
    "scripts/",
    "a[0]()",
  ])("F-09 finds nothing in %j", (body) => {
    expect(findReferences(body)).toEqual([]);
  });

  it("F-09 finds each place, in order, a link not also as a mention", () => {
    const body = "[a](scripts/a.py) scripts/b.py\n[c]: scripts/c.py\nscripts/a.py";
    expect(findReferences(body).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "link scripts/a.py",
      "mention scripts/b.py",
      "link scripts/c.py",
      "mention scripts/a.py",
    ]);
  });

  it("F-09 says where the path stands", () => {
    const body = "See [a](./references/a%20b.md#x) and scripts/run.py.";
    const places = findReferences(body).map(({ start, end }) => body.slice(start, end));
    expect(places).toEqual(["./references/a%20b.md#x", "scripts/run.py"]);
  });

  it("F-09 never throws and stays inside of the body", () => {
    const piece = fc.constantFrom(
      ..."[]()<>`#\n ./%2e\\",
      "scripts/",
      "a.md",
      "](",
      "]:",
      "../",
      "😀",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const body = pieces.join("");
        for (const { path, start, end } of findReferences(body)) {
          expect(path).not.toBe("");
          expect(0 <= start && start < end && end <= body.length).toBe(true);
        }
      }),
      { numRuns: numRuns(1000) },
    );
  });
});
