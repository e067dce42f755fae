import { expect, it } from "vitest";
import { createSkillIndex, type Embedder } from "../index.ts";
import { createHybridIndex } from "../internal/index.ts";

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

it("D-08 D-13 blends scores: an embedder moves near hits, and overrules the words only with more weight", async () => {
  const documents = [
    { id: "a", name: "a", description: "merge merge pdf" },
    { id: "b", name: "b", description: "merge pdf" },
    { id: "c", name: "c", description: "unrelated" },
  ];
  const index = createSkillIndex(documents);
  const embed: Embedder["embed"] = (texts) =>
    Promise.resolve(texts.map((text) => (/^[ab]\n/.test(text) ? [0, 1] : [1, 0])));
  const find = async (weight?: number) => {
    const options = {
      index,
      documents,
      embedder: { embed },
      ...(weight !== undefined && { weight }),
    };
    const hits = await createHybridIndex(options).search("merge pdf");
    return hits.map(({ id }) => id);
  };
  const byWords = index.search("merge pdf").map(({ id }) => id);
  expect(await find(0)).toEqual(byWords);
  expect(await find()).toEqual([...byWords, "c"]);
  expect(await find(1)).toEqual(["c"]);
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
