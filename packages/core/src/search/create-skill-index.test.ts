import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSkillIndex } from "../index.ts";
import type { SkillDocument } from "../internal/index.ts";

const CATALOG: readonly SkillDocument[] = [
  document("pdf-tools", "Merge, split and rotate PDF files."),
  document("image-resizer", "Resize and crop photos. Do not use for PDF documents or videos."),
  document("kubernetes-deploy", "Deploy containers to Kubernetes clusters."),
  document("parseJsonLines", "Reads log lines."),
  document("wrap-up", `Ends a session. Triggers: "call it a day", "save everything".`),
  document("day-planner", "Plan the day: call people, save money, everything on time."),
  document("测试助手", "编写测试用例，分析缺陷，生成测试报告。不要用于性能监控。"),
  document("性能监控", "监控服务器性能并发出警报。"),
  document("browser-check", "Audits pages in a real browser for visual defects."),
];

function document(name: string, description: string, body?: string): SkillDocument {
  const texts = { id: name, name, description };
  return body === undefined ? texts : { ...texts, body };
}

function names(query: string, limit?: number): string[] {
  const options = limit === undefined ? {} : { limit };
  return createSkillIndex(CATALOG)
    .search(query, options)
    .map((hit) => hit.name);
}

describe("D-08 finds", () => {
  it.each([
    ["merging two pdfs", "pdf-tools", "another form of the word"],
    ["kuberentes", "kubernetes-deploy", "a word with letters in the wrong place"],
    ["conatiner clutser", "kubernetes-deploy", "several misspelled words"],
    ["kubernets", "kubernetes-deploy", "a word with a letter too few"],
    ["k8s", "kubernetes-deploy", "a usual short form"],
    ["image resizer", "image-resizer", "the parts of a kebab-case name"],
    ["json", "parseJsonLines", "a part of a camelCase name"],
    ["PARSEJSONLINES", "parseJsonLines", "the whole of a camelCase name"],
    ["ＰＤＦ", "pdf-tools", "full-width letters"],
    ["let us call it a day and save everything", "wrap-up", "a quoted phrase"],
    ["帮我写一下测试用例", "测试助手", "Chinese by pairs of characters"],
    ["幫我寫測試用例", "测试助手", "the traditional script"],
    ["在浏览器里检查页面", "browser-check", "an English skill for a Chinese query"],
  ])("%s → %s: %s", (query, name) => {
    expect(names(query)[0]).toBe(name);
  });

  it("nothing in clauses that say what a skill is not for", () => {
    expect(names("pdf documents")).not.toContain("image-resizer");
    expect(names("videos")).toEqual([]);
    expect(names("性能监控")).toEqual(["性能监控"]);
  });

  it("D-13 by trigger examples, and less by what they say it is not for", () => {
    const plain = [document("a", "Works with documents."), document("b", "Works with documents.")];
    const [a, b] = plain as [SkillDocument, SkillDocument];
    const first = (documents: SkillDocument[], query: string) =>
      createSkillIndex(documents).search(query)[0]?.id;
    expect(first([a, { ...b, examples: ["stitch these pages together"] }], "stitch pages")).toBe(
      "b",
    );
    const c = document("c", "Reads receipts.");
    const order = (documents: SkillDocument[]) =>
      createSkillIndex([...documents, c])
        .search("documents of receipts")
        .map(({ id }) => id)
        .filter((id) => id !== "c");
    expect(order([a, b])).toEqual(["a", "b"]);
    expect(order([{ ...a, negatives: ["scan the receipts"] }, b])[0]).toBe("b");
    expect(order([document("a", "Works with documents. Not for receipts."), b])[0]).toBe("b");
    const index = createSkillIndex([a, { ...b, examples: ["stitch these pages together"] }]);
    expect(index.matches("please stitch the pages", "b")).toEqual(["stitch", "pages"]);
    expect(index.matches("please stitch the pages", "a")).toEqual([]);
    expect(index.matches("stitch", "gone")).toEqual([]);
  });

  it("five by default, as many as asked otherwise, and whole documents", () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ ...document("n", "merge"), id: `${i}` }));
    const index = createSkillIndex(many);
    expect(index.search("merge")).toHaveLength(5);
    expect(index.search("merge", { limit: 12 })).toHaveLength(12);
    expect(index.search("merge", { limit: 1000 })).toHaveLength(20);
    for (const limit of [0, -1, Number.NaN]) expect(index.search("merge", { limit })).toEqual([]);
    expect(index.search("merge", { limit: Infinity })).toHaveLength(20);
    expect(index.search("merge", { limit: 1 })[0]).toMatchObject({
      name: "n",
      description: "merge",
    });
  });

  it("what only a body says, after what a description says", () => {
    const index = createSkillIndex([
      document("a", "Something else.", "Rotate every page of the scan."),
      document("b", "Rotate pages."),
      document("c", "Unrelated."),
    ]);
    expect(index.search("rotate").map(({ id }) => id)).toEqual(["b", "a"]);
  });
});

it("D-08 puts equal documents in the order of their ids, in whatever order they came", () => {
  const same = ["b", "a", "d", "c"].map((id) => ({ id, name: "merge", description: "merge" }));
  const ids = (documents: readonly SkillDocument[]) =>
    createSkillIndex(documents)
      .search("merge")
      .map(({ id }) => id);
  expect(ids(same)).toEqual(["a", "b", "c", "d"]);
  expect(ids(same.toReversed())).toEqual(["a", "b", "c", "d"]);
});

it("D-08 finds nothing for an empty query and in an empty index", () => {
  const index = createSkillIndex(CATALOG);
  for (const query of ["", " \n", "the of and", "!?…", "\uD800", "的"]) {
    expect(index.search(query)).toEqual([]);
  }
  expect(createSkillIndex([]).search("pdf")).toEqual([]);
});

const word = fc.constantFrom(
  ..."merge merging pdf image images constructor __proto__ toString resize Kubernetes kubernets 测试用例 分析".split(
    " ",
  ),
  "getUserName",
  "café",
  "\uD800",
  "not for pdf.",
  '"split it"',
);
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
const someDocument = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e", "f", "__proto__", "constructor"),
  name: text,
  description: text,
  body: text,
});

it("D-08 after any additions and removals is what a fresh index would be", () => {
  const change = fc.oneof(
    someDocument.map((added) => ({ added })),
    someDocument.map(({ id }) => ({ removed: id })),
  );
  fc.assert(
    fc.property(
      fc.array(someDocument, { maxLength: 8 }),
      fc.array(change, { maxLength: 20 }),
      fc.array(text, { minLength: 1, maxLength: 4 }),
      (first, changes, queries) => {
        const index = createSkillIndex(first);
        const documents = new Map(first.map((entry) => [entry.id, entry]));
        for (const step of changes) {
          if ("added" in step) {
            index.add(step.added);
            documents.set(step.added.id, step.added);
          } else {
            index.remove(step.removed);
            documents.delete(step.removed);
          }
        }
        const fresh = createSkillIndex(documents.values());
        expect(index.size).toBe(documents.size);
        for (const query of queries) expect(index.search(query)).toEqual(fresh.search(query));
      },
    ),
  );
});

describe("D-08 bears hostile documents and queries:", () => {
  it("words that are properties of every object", () => {
    const index = createSkillIndex([document("constructor", "__proto__ toString hasOwnProperty")]);
    for (const query of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      expect(index.search(query)).toHaveLength(1);
    }
    expect(createSkillIndex(CATALOG).search("constructor __proto__ valueOf")).toEqual([]);
  });

  it.each([
    ["a body of 10 MB", document("big", "pdf", "lorem ipsum 数据 ".repeat(700_000))],
    ["one word of 10 MB", document("big", "pdf", "x".repeat(10_000_000))],
    ["a description of 10 MB", document("big", `pdf ${"do not use \"' (".repeat(700_000)}`)],
    ["a name of 10 MB", document("pdf-".repeat(2_500_000), "pdf")],
    ["white space that might backtrack", document("big", `pdf do not${" ".repeat(1_000_000)}`)],
    ["thousands of different words", document("big", "pdf", differentWords(50_000))],
    ["unpaired surrogates", document("big", `pdf ${"\uD800\uDC00\uDC00".repeat(1000)}`)],
  ])("%s", (_, hostile) => {
    const index = createSkillIndex([...CATALOG, hostile]);
    expect(index.search("pdf", { limit: 20 }).map(({ id }) => id)).toContain(hostile.id);
  });

  it("a query of 100 KB, of which the beginning counts", () => {
    const index = createSkillIndex(CATALOG);
    expect(index.search(`merge pdf ${differentWords(20_000)}`)[0]?.name).toBe("pdf-tools");
    expect(index.search(`pdf ${"测试\uD800'\"".repeat(20_000)}`).length).toBeGreaterThan(0);
  });

  it("whatever text there is", () => {
    const index = createSkillIndex(CATALOG);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (query) => {
        index.add({ id: "any", name: query, description: query, body: query });
        expect(index.search(query).length).toBeLessThanOrEqual(5);
      }),
    );
  });
});

function differentWords(count: number): string {
  return Array.from({ length: count }, (_, i) => `w${i.toString(36)}`).join(" ");
}
