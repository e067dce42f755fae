import fc from "fast-check";
import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { createSkillIndex } from "../index.ts";
import { decodeSkillIndex, encodeSkillIndex } from "../internal/index.ts";

const text = fc
  .array(
    fc.constantFrom("merge", "pdf", "image", "测试", "\uD800", "é", '"split it"', "not for x."),
  )
  .map((words) => words.join(" "));
const someDocument = fc.record({ id: text, name: text, description: text, body: text });

function sample(): Uint8Array {
  return encodeSkillIndex(
    createSkillIndex([
      { id: "a", name: "pdf-tools", description: "Merge PDF files" },
      { id: "b", name: "image-tools", description: "Resize images", body: "and merge layers" },
    ]),
  );
}

it("D-08 an index that was saved finds the same, and changes in the same way", () => {
  fc.assert(
    fc.property(
      fc.array(someDocument, { maxLength: 8 }),
      someDocument,
      fc.array(text, { minLength: 1, maxLength: 4 }),
      (documents, added, queries) => {
        const index = createSkillIndex(documents);
        const loaded = decodeSkillIndex(encodeSkillIndex(index));
        expect(loaded?.size).toBe(index.size);
        for (const query of queries) expect(loaded?.search(query)).toEqual(index.search(query));
        for (const one of [index, loaded]) {
          one?.add(added);
          one?.remove(documents[0]?.id ?? "");
        }
        const again = decodeSkillIndex(encodeSkillIndex(index));
        for (const query of queries) {
          expect(loaded?.search(query)).toEqual(index.search(query));
          expect(again?.search(query)).toEqual(index.search(query));
        }
      },
    ),
  );
});

it("D-08 an index is read wherever in a buffer it lies", () => {
  const bytes = sample();
  for (const offset of [0, 1, 2, 3, 4]) {
    const moved = new Uint8Array(bytes.length + offset);
    moved.set(bytes, offset);
    expect(decodeSkillIndex(moved.subarray(offset))?.search("resize")[0]?.id).toBe("b");
  }
});

it("D-08 saving does not change what is saved, and the same documents give the same bytes", () => {
  expect(sample()).toEqual(sample());
});

it("D-08 damaged bytes are no index", () => {
  const bytes = sample();
  for (let i = 0; i < bytes.length; i++) {
    const damaged = bytes.slice();
    damaged[i] = (damaged[i] ?? 0) ^ 0x10;
    expect(decodeSkillIndex(damaged)).toBeUndefined();
  }
  for (let length = 0; length < bytes.length; length++) {
    expect(decodeSkillIndex(bytes.subarray(0, length))).toBeUndefined();
  }
  expect(decodeSkillIndex(Buffer.concat([bytes, Buffer.alloc(4)]))).toBeUndefined();
  expect(decodeSkillIndex(new Uint8Array())).toBeUndefined();
});

it("D-08 bytes made to harm, with a right checksum, neither throw nor search without end", () => {
  const bytes = sample();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 9), fc.nat(255)), { minLength: 1, maxLength: 40 }),
      (changes) => {
        const crafted = bytes.slice();
        for (const [at, value] of changes) crafted[8 + at] = value;
        new DataView(crafted.buffer).setUint32(4, crc32(crafted.subarray(8)), true);
        const index = decodeSkillIndex(crafted);
        expect(index?.search("merge pdf images").length ?? 0).toBeLessThanOrEqual(5);
        index?.add({ id: "c", name: "new", description: "merge" });
        index?.remove("a");
        if (index !== undefined) encodeSkillIndex(index);
      },
    ),
  );
});
