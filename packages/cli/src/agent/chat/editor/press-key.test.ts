import { describe, expect, it } from "vitest";
import {
  type KeyPress,
  type LineHelp,
  type LineState,
  MAX_INPUT,
  newLine,
  type Pressed,
  pressKey,
} from "../../index.ts";

const NOTHING: LineHelp = { history: () => [], complete: () => undefined };
const RETURN: KeyPress = { name: "return", text: "\r" };
const TAB: KeyPress = { name: "tab", text: "\t" };
const CONTROL_C: KeyPress = { name: "c", ctrl: true, text: "\u0003" };

/** Text is typed, a key is pressed. */
function press(
  keys: readonly (string | KeyPress)[],
  help: LineHelp = NOTHING,
  state: LineState = newLine(""),
): Pressed {
  let last: Pressed = { state };
  const pressed = keys.flatMap((key): readonly KeyPress[] =>
    typeof key === "string" ? Array.from(key, (text) => ({ text })) : [key],
  );
  for (const key of pressed) last = pressKey(last.state, key, help);
  return last;
}

describe("a line at the terminal", () => {
  it("C-01 return sends it, after a backslash there is another line", () => {
    expect(press(["hello", RETURN]).result).toEqual({ kind: "line", text: "hello" });
    const more = press(["one\\", RETURN, "two", RETURN]);
    expect(more.result).toEqual({ kind: "line", text: "one\ntwo" });
    const inside = press(["a\\b", { name: "left" }, RETURN]);
    expect(inside.result).toEqual({ kind: "line", text: "a\\b" });
  });

  it("C-01 what is pasted stays together, without what a terminal would obey", () => {
    const { state, result } = press([
      "> ",
      { name: "paste-start" },
      { text: "a" },
      RETURN,
      { text: "\n", name: "enter" },
      TAB,
      CONTROL_C,
      { text: "\u001b" },
      { text: "b" },
      { name: "paste-end" },
    ]);
    expect(result).toBeUndefined();
    expect(state.buffer.text).toBe("> a\n\tb");
  });

  it("C-01 says when what was pasted is too long", () => {
    const paste = (text: string) =>
      press([{ name: "paste-start" }, { text }, { name: "paste-end" }]).state;
    expect(paste("x".repeat(MAX_INPUT)).isCut).toBe(false);
    expect(paste("x".repeat(MAX_INPUT + 1))).toMatchObject({
      isCut: true,
      buffer: { cursor: MAX_INPUT },
    });
  });

  it("C-01 control-C clears the line, and twice in a row leaves", () => {
    const once = press(["text", CONTROL_C]);
    expect([once.state.buffer.text, once.result]).toEqual(["", undefined]);
    expect(press([CONTROL_C, CONTROL_C]).result).toEqual({ kind: "interrupt" });
    expect(press([CONTROL_C, "x", CONTROL_C]).result).toBeUndefined();
  });

  it("C-01 control-D leaves an empty line, and deletes in another one", () => {
    const controlD: KeyPress = { name: "d", ctrl: true };
    expect(press([controlD]).result).toEqual({ kind: "end" });
    const { state, result } = press(["ab", { name: "home" }, controlD]);
    expect([state.buffer.text, result]).toEqual(["b", undefined]);
  });

  it("C-01 up and down go through the history and come back to what was typed", () => {
    const help = { ...NOTHING, history: () => ["oldest", "two\nlines"] };
    const up: KeyPress = { name: "up" };
    const down: KeyPress = { name: "down" };
    const texts = (...keys: KeyPress[]) => press(["draft", ...keys], help).state.buffer.text;
    expect(texts(up)).toBe("two\nlines");
    // First through the lines of the entry itself.
    expect(texts(up, up)).toBe("two\nlines");
    expect(texts(up, up, up)).toBe("oldest");
    expect(texts(up, up, up, up)).toBe("oldest");
    expect(texts(up, up, up, down, down)).toBe("draft");
    expect(texts(down)).toBe("draft");
  });

  it("C-01 tab completes what is certain, then goes through the candidates", () => {
    const candidates = [{ value: "/skills" }, { value: "/skim" }];
    const help = { ...NOTHING, complete: () => ({ from: 0, candidates }) };
    const shown = (...keys: KeyPress[]) => {
      const { buffer, menu } = press(["/s", ...keys], help).state;
      return [buffer.text, menu?.chosen];
    };
    expect(shown(TAB)).toEqual(["/ski", -1]);
    expect(shown(TAB, TAB)).toEqual(["/skills", 0]);
    expect(shown(TAB, TAB, TAB, TAB)).toEqual(["/skills", 0]);
    expect(shown(TAB, { ...TAB, shift: true })).toEqual(["/skim", 1]);
    expect(shown(TAB, TAB, { text: "!" })).toEqual(["/skills!", undefined]);
    const one = { ...NOTHING, complete: () => ({ from: 1, candidates: [{ value: "src/" }] }) };
    expect(press(["@s", TAB], one).state.buffer.text).toBe("@src/");
    expect(press(["x", TAB]).state.buffer.text).toBe("x");
  });
});
