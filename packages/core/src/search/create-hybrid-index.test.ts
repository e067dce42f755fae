import { expect, it } from "vitest";
import { createSkillIndex, type Embedder } from "../index.ts";
import { createHybridIndex, fuseRanks } from "../internal/index.ts";

const DOCUMENTS = [
  { id: "a", name: "pdf-tools", description: "Merge PDF files" },
  { id: "b", name: "cat-care", description: "Feed the kitten" },
  { id: "c", name: "dog-care", description: "Walk the puppy" },
];

/** Knows that a feline is a cat. */
function embedder(embedded: string[][] = []): Embedder {
  return {
    async embed(texts) {
      embedded.push([...texts]);
      return texts.map((text) => (/cat|feline/.test(text) ? [1, 0] : [0, 1]));
    },
  };
}

it("D-08 fuses rankings by place, the first named first among equals", () => {
  expect(
    fuseRanks([
      ["a", "b"],
      ["b", "c"],
    ]).map(({ id }) => id),
  ).toEqual(["b", "a", "c"]);
  expect(fuseRanks([["a"], ["b"]]).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(fuseRanks([["a"], ["b"]], { weights: [1, 2] })[0]?.id).toBe("b");
  expect(fuseRanks([["a", "a", "b"], ["b"]])[0]?.id).toBe("b");
  expect(fuseRanks([])).toEqual([]);
});

it("D-08 finds by meaning what shares no word, and embeds the documents once", async () => {
  const embedded: string[][] = [];
  const index = createSkillIndex(DOCUMENTS);
  const hybrid = createHybridIndex({ index, documents: DOCUMENTS, embedder: embedder(embedded) });
  expect(index.search("feline")).toEqual([]);
  expect(embedded).toEqual([]);
  expect(await hybrid.search("feline")).toMatchObject([{ id: "b", name: "cat-care" }]);
  expect((await hybrid.search("walk the feline", { limit: 1 })).length).toBe(1);
  expect(embedded.map((texts) => texts.length)).toEqual([3, 1, 1]);
  expect(await hybrid.search(" ")).toEqual([]);
});

it.each<[string, Embedder["embed"]]>([
  ["fails", () => Promise.reject(new Error("offline"))],
  [
    "throws",
    () => {
      throw new Error("offline");
    },
  ],
  ["gives too few vectors", () => Promise.resolve([])],
  ["gives no numbers", (texts) => Promise.resolve(texts.map(() => [Number.NaN]))],
])("D-08 rests on words when the embedder %s, and says so", async (_, embed) => {
  const errors: unknown[] = [];
  const hybrid = createHybridIndex({
    index: createSkillIndex(DOCUMENTS),
    documents: DOCUMENTS,
    embedder: { embed },
    onError: (error) => errors.push(error),
  });
  expect((await hybrid.search("merge pdf")).map(({ id }) => id)).toEqual(["a"]);
  expect(errors).toHaveLength(1);
});
