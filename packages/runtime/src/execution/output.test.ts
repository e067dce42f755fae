import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCodeExecutor } from "../../../../test/support/code-executor.ts";
import {
  executionFailure,
  harmlessText,
  OutputCapture,
  refusedReceipt,
  receiptText,
} from "./index.ts";

const LEFT_OUT = /\n\[… (\d+) bytes left out …\]\n/;

function capture(cap: number, chunks: readonly (Uint8Array | string)[]) {
  const output = new OutputCapture(cap);
  for (const chunk of chunks) output.write(Buffer.from(chunk as string));
  return output.end();
}

describe("OutputCapture", () => {
  it("X-05 keeps everything within the cap", () => {
    expect(capture(10, ["hello", "world"])).toEqual({ text: "helloworld", truncated: false });
    expect(capture(10, [])).toEqual({ text: "", truncated: false });
  });

  it("X-05 keeps head and tail beyond it", () => {
    expect(capture(10, ["abcdefgh", "ijklmnop"])).toEqual({
      text: "abcde\n[… 6 bytes left out …]\nlmnop",
      truncated: true,
    });
  });

  it("X-05 is the head and the tail of all bytes, however they came", () => {
    const chunks = fc.array(fc.stringMatching(/^[a-z]{0,40}$/), { maxLength: 20 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 60 }), (parts, cap) => {
        const all = parts.join("");
        const { text, truncated } = capture(cap, parts);
        expect(truncated).toBe(all.length > cap);
        const [head = "", left = "0", tail = ""] = text.split(LEFT_OUT);
        expect(all.startsWith(head)).toBe(true);
        expect(all.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBe(Math.min(cap, all.length));
        expect(Number(left)).toBe(Math.max(0, all.length - cap));
      }),
    );
  });

  it("X-05 cuts no character in half", () => {
    const { text } = capture(11, ["ääääääääääääääää"]);
    expect(text.replace(LEFT_OUT, "")).toMatch(/^ä+$/);
  });

  it("X-05 passes on what comes, made harmless, whole characters at a time", () => {
    const heard: string[] = [];
    const output = new OutputCapture(4, (text) => heard.push(text));
    const euro = Buffer.from("€");
    output.write(euro.subarray(0, 1));
    output.write(euro.subarray(1));
    for (const text of ["\u001b[2J", "b", "c"]) output.write(Buffer.from(text));
    output.end();
    expect(heard).toEqual(["€", "␛[2J", "b", "c"]);
  });
});

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_Control}/u;

it.each([
  ["plain\n\ttext ü 漢 👍🏽", "plain\n\ttext ü 漢 👍🏽"],
  ["\u001b[1;31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007", "␛]0;title␇"],
  ["a\r\nb\rc", "a\nb␍c"],
  ["\u009b31m", "\uFFFD31m"],
  ["\u007f\u0008", "␡␈"],
  ["\u202eabc", "\uFFFDabc"],
  ["\u061cabc\u200f\u2067", "\uFFFDabc\uFFFD\uFFFD"],
])("X-05 %j becomes %j", (text, harmless) => {
  expect(harmlessText(text)).toBe(harmless);
});

it("X-05 nothing is left that a terminal obeys", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(harmlessText(text)).not.toMatch(OBEYED);
    }),
  );
});

const request = {
  skill: { name: "pdf", path: "/nowhere" },
  script: "a.py",
  args: [],
  cwd: "fresh",
};

describe("receiptText", () => {
  it("X-04 of a failed script gives both outputs, and no word twice", async () => {
    const outputs = { stdout: "3 of 4 done\n", stderr: "a warning\n", exitCode: 1 };
    const receipt = await createCodeExecutor({ "pdf/scripts/a.py": () => outputs }).run(request);
    expect(receiptText(receipt)).toBe(
      "scripts/a.py ended with exit code 1\nstderr:\na warning\nstdout:\n3 of 4 done",
    );
  });

  it("X-04 says the exit code where the message does not, and none where nothing ran", () => {
    const failure = executionFailure("timed-out", "a.py was ended", "Give it less to do.");
    expect(receiptText({ ...refusedReceipt("process", failure), exitCode: 143 })).toBe(
      "a.py was ended (exit code 143)\nGive it less to do.",
    );
    expect(receiptText(refusedReceipt("process", failure))).toBe(
      "a.py was ended\nGive it less to do.",
    );
  });
});
