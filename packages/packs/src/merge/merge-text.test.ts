import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { mergeText, textOf, toLines } from "./index.ts";

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");

describe("lines", () => {
  const texts = fc
    .array(fc.constantFrom("a", "b", "c", "", "d", "e"), { maxLength: 10 })
    .chain((lines) => fc.boolean().map((ends) => lines.join("\n") + (ends ? "\n" : "")));

  it("K-03 a change on one side only is taken as it is, and the same change on both once", () => {
    fc.assert(
      fc.property(texts, texts, (base, other) => {
        expect(mergeText(base, base, other)).toEqual({ ok: true, text: other });
        expect(mergeText(base, other, base)).toEqual({ ok: true, text: other });
        expect(mergeText(base, other, other)).toEqual({ ok: true, text: other });
      }),
    );
  });

  it("K-03 no side is favoured, and no line comes from nowhere", () => {
    fc.assert(
      fc.property(texts, texts, texts, (base, local, incoming) => {
        const merged = mergeText(base, local, incoming);
        expect(mergeText(base, incoming, local)).toEqual(merged);
        const known = new Set([base, local, incoming].flatMap(toLines));
        const lines = merged.ok ? toLines(merged.text) : [];
        expect(lines.every((line) => known.has(line) || known.has(line.trimEnd()))).toBe(true);
      }),
    );
  });

  it("K-03 edits of different lines come out as git merges them", () => {
    const edits = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 6 });
    const folder = temporaryFolder();
    fc.assert(
      fc.property(edits, (places) => {
        const lines = Array.from({ length: 40 }, (_, index) =>
          index % 3 === 0 ? "" : `line ${index}`,
        );
        const edited = (side: number) =>
          lines.flatMap((line, index) => {
            const isMine = places.some((place, i) => place * 4 === index && i % 2 === side);
            return isMine ? [`side ${side}`, line] : [line];
          });
        const [base, local, incoming] = [lines, edited(0), edited(1)].map((all) => text(...all));
        const merged = mergeText(base!, local!, incoming!);
        const files = [local, base, incoming].map((content, index) => {
          const file = join(folder, String(index));
          execFileSync("tee", [file], { input: content!, stdio: ["pipe", "ignore", "inherit"] });
          return file;
        });
        const byGit = execFileSync("git", ["merge-file", "-p", ...files], { encoding: "utf8" });
        expect(merged).toEqual({ ok: true, text: byGit });
      }),
      { numRuns: 20 },
    );
  });

  it("K-03 changes of the same or touching lines are a conflict", () => {
    const base = text("a", "b", "c");
    const conflict = { ok: false, reason: "same-lines" };
    expect(mergeText(base, text("a", "B", "c"), text("a", "bb", "c"))).toEqual(conflict);
    expect(mergeText(base, text("A", "b", "c"), text("a", "B", "c"))).toEqual(conflict);
    expect(mergeText(base, text("a", "c"), text("a", "B", "c"))).toEqual(conflict);
    expect(mergeText("", text("a"), text("b"))).toEqual(conflict);
  });

  it("K-03 texts that would take long are refused, in bounded time", () => {
    // Without the bound this would take hours.
    const blank = "\n".repeat(200_000);
    const merged = mergeText(blank, `a\n${blank}`, `${blank}b\n`);
    expect(merged).toEqual({ ok: false, reason: "too-large" });
  });

  it("K-03 a long text with edits far apart is merged", () => {
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      i % 4 === 0 ? "" : `line ${i % 997} ${i}`,
    );
    const [local, incoming] = [lines.with(5, "mine"), lines.with(19_990, "theirs")];
    expect(mergeText(text(...lines), text(...local), text(...incoming))).toEqual({
      ok: true,
      text: text(...lines.with(5, "mine").with(19_990, "theirs")),
    });
  });
});

describe("line endings", () => {
  const crlf = (value: string) => value.replaceAll("\n", "\r\n");
  const [base, local, incoming] = [
    text("a", "b", "c", "d", "e"),
    text("A", "b", "c", "d", "e"),
    text("a", "b", "c", "d", "E"),
  ];
  const both = text("A", "b", "c", "d", "E");

  it.each([
    ["stay", crlf(base), crlf(local), crlf(incoming), crlf(both)],
    ["that were turned here stay turned", base, crlf(local), incoming, crlf(both)],
    ["that were turned upstream are turned", base, local, crlf(incoming), crlf(both)],
    ["that both turned are turned", base, crlf(local), crlf(incoming), crlf(both)],
    ["that were turned back are", crlf(base), local, crlf(incoming), both],
  ])("K-03 %s", (_, before, mine, theirs, expected) => {
    expect(mergeText(before, mine, theirs)).toEqual({ ok: true, text: expected });
  });

  it("K-03 that are mixed are left as they are, line by line", () => {
    const mixed = "a\r\nb\nc\r\nd\ne\n";
    expect(mergeText(mixed, mixed.replace("a", "A"), mixed.replace("e", "E"))).toEqual({
      ok: true,
      text: "A\r\nb\nc\r\nd\nE\n",
    });
  });

  it("K-03 a missing newline at the end stays missing", () => {
    const bare = (value: string) => value.slice(0, -1);
    expect(mergeText(bare(base), bare(local), bare(base))).toEqual({ ok: true, text: bare(local) });
    expect(mergeText(bare(base), bare(local), bare(incoming))).toEqual({
      ok: true,
      text: bare(both),
    });
  });

  it("K-03 a byte order mark stays, and what is no text is not taken for one", () => {
    expect(textOf(Buffer.from("\uFEFFa"))).toBe("\uFEFFa");
    expect(textOf(Buffer.from([0x61, 0, 0x62]))).toBeUndefined();
    expect(textOf(Buffer.from([0xff, 0xfe]))).toBeUndefined();
    expect(textOf(Buffer.alloc(2 * 1024 * 1024, "a"))).toBeUndefined();
  });
});
