import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyKey,
  bufferOf,
  type EditBuffer,
  insertText,
  type KeyPress,
  MAX_INPUT,
  otherLine,
} from "../../index.ts";

/** `ab|c` is the text abc with the cursor before c. */
function at(marked: string): EditBuffer {
  const cursor = marked.indexOf("|");
  return { text: marked.replace("|", ""), cursor };
}

function shown({ text, cursor }: EditBuffer): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function pressed(marked: string, key: KeyPress): string | undefined {
  const buffer = applyKey(at(marked), key);
  return buffer && shown(buffer);
}

const ctrl = (name: string): KeyPress => ({ name, ctrl: true });
const meta = (name: string): KeyPress => ({ name, meta: true });

describe("editing keys", () => {
  it.each([
    ["ab|", { name: "left" }, "a|b"],
    ["|ab", { name: "left" }, "|ab"],
    ["a\n|b", { name: "left" }, "a|\nb"],
    ["a|\nb", { name: "right" }, "a\n|b"],
    ["👨‍👩‍👧|x", { name: "left" }, "|👨‍👩‍👧x"],
    ["|e\u0301x", { name: "right" }, "e\u0301|x"],
    ["中文|", { name: "backspace" }, "中|"],
    ["👨‍👩‍👧|", { name: "backspace" }, "|"],
    ["a|\nb", { name: "delete" }, "a|b"],
    ["one two|", ctrl("w"), "one |"],
    ["one two, |", meta("backspace"), "one |"],
    ["one |two", meta("d"), "one |"],
    ["one two|", meta("b"), "one |two"],
    ["|one two", meta("f"), "one| two"],
    ["a\nbc|d", ctrl("a"), "a\n|bcd"],
    ["a\n|bcd\ne", ctrl("e"), "a\nbcd|\ne"],
    ["a\nbc|d", ctrl("u"), "a\n|d"],
    ["a|bc\nd", ctrl("k"), "a|\nd"],
    ["a|\nd", ctrl("k"), "a|d"],
    ["a|b", { name: "enter", text: "\n" }, "a\n|b"],
    ["a|b", meta("return"), "a\n|b"],
    ["a|b", { text: "中" }, "a中|b"],
  ])("C-01 %j after %j is %j", (before, key, after) => {
    expect(pressed(before, key)).toBe(after);
  });

  it("C-01 keys that do not edit give nothing, and controls are not typed", () => {
    expect(pressed("a|", { name: "f5" })).toBeUndefined();
    expect(pressed("a|", { text: "\u001b", name: "escape", meta: true })).toBeUndefined();
    expect(pressed("a|", { text: "\u0085" })).toBeUndefined();
  });

  it("C-01 up and down keep the column, as far as the line goes", () => {
    expect(shown(otherLine(at("中文字\nab\nabcd|"), -1) ?? bufferOf("?"))).toBe(
      "中文字\nab|\nabcd",
    );
    expect(shown(otherLine(at("abc|\n中文字"), 1) ?? bufferOf("?"))).toBe("abc\n中文字|");
    expect(otherLine(at("ab|c\nd"), -1)).toBeUndefined();
    expect(otherLine(at("a\nb|"), 1)).toBeUndefined();
  });

  it("C-01 a text has an end", () => {
    const { text, cursor } = insertText(bufferOf("x".repeat(MAX_INPUT - 1)), "yyy");
    expect([text.length, cursor]).toEqual([MAX_INPUT, MAX_INPUT]);
  });

  it("C-01 whatever is pressed, the cursor stays in the text and between characters", () => {
    const keys = fc.constantFrom<KeyPress>(
      { name: "left" },
      { name: "right" },
      { name: "backspace" },
      { name: "delete" },
      ctrl("w"),
      ctrl("k"),
      ctrl("u"),
      meta("b"),
      meta("f"),
      { name: "enter", text: "\n" },
      { text: "é" },
      { text: "👍🏽" },
    );
    const texts = fc
      .string({ unit: "grapheme", maxLength: 20 })
      .map((text) => text.replaceAll("\r", ""));
    fc.assert(
      fc.property(texts, fc.array(keys, { maxLength: 20 }), (text, pressedKeys) => {
        let buffer = bufferOf(text);
        for (const key of pressedKeys) {
          const next = applyKey(buffer, key) ?? buffer;
          expect(next.cursor).toBeGreaterThanOrEqual(0);
          expect(next.cursor).toBeLessThanOrEqual(next.text.length);
          const isMove = key.name === "left" || key.name === "right";
          expect(!isMove || next.text === buffer.text).toBe(true);
          // Never between the halves of one character.
          expect(next.text.slice(0, next.cursor)).not.toMatch(/[\ud800-\udbff]$/);
          buffer = next;
        }
      }),
    );
  });
});
