import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { createRedactor } from "../../index.ts";
import { createStreamRedactor } from "../../internal/index.ts";
import { MAX_MATCH_LENGTH } from "../index.ts";

const multiline = "first line\nsecond line\nthird";
const redactor = createRedactor({ env: { A_TOKEN: "correct-horse" }, values: [multiline] });

/** The text that comes out when it goes in cut at these places. */
function streamed(text: string, cuts: readonly number[]): string {
  const stream = createStreamRedactor(redactor);
  const places = [...cuts.map((cut) => cut % (text.length + 1)), 0, text.length].sort(
    (a, b) => a - b,
  );
  const parts = places
    .slice(1)
    .map((place, index) => stream.write(text.slice(places[index], place)));
  return [...parts, stream.end()].join("");
}

const key = `-----BEGIN PRIVATE KEY-----\n${"abcdEFGH0123\n".repeat(20)}-----END PRIVATE KEY-----`;
const pieces = [
  "correct-horse",
  multiline,
  key,
  `sk-${"a1".repeat(20)}`,
  "Bearer abcdefghij",
  "password: pass",

  "\n",
  "\r\n",
  " ",
  "text ",
  "-----",
  "-----BEGIN ",
  "first line\n",
  "first line\nsecond",
  "correct-",
  "https://me:pass@host/",
  "x".repeat(500),
];

describe("a stream", () => {
  it("P-04 gives the same as the whole text, however it is cut", () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (text, cuts) => {
        expect(streamed(text, cuts)).toBe(redactor.redactText(text));
      }),
      { numRuns: numRuns(500) },
    );
  });

  it("P-04 finds a secret cut at any place", () => {
    const text = `before correct-horse ${multiline} ${key} Bearer abcdefghij after\n`;
    for (let place = 0; place <= text.length; place++) {
      expect(streamed(text, [place])).toBe(
        "before [redacted] [redacted] [redacted] Bearer [redacted] after\n",
      );
    }
  });

  it("P-04 passes whole lines on at once", () => {
    const stream = createStreamRedactor(redactor);
    expect(stream.write("one\ntwo\nthr")).toBe("one\ntwo\n");
    expect(stream.write("ee 50%\r")).toBe("three 50%\r");
    expect(stream.write("first line\n"), "could be a secret").toBe("");
    expect(stream.write("other\n"), "was none").toBe("first line\nother\n");
    expect(stream.end()).toBe("");
  });

  it("P-04 holds little of a line without end, and finds secrets in it", () => {
    const stream = createStreamRedactor(redactor);
    const part = `${"x".repeat(70)} correct-horse password="a bc" `;
    let [sent, got] = [0, ""];
    for (let index = 0; index < 3000; index++) {
      got += stream.write(part);
      sent += part.length;
      expect(sent - got.length).toBeLessThan(200_000);
    }
    got += stream.end();
    expect(got).not.toMatch(/horse|a bc/);
    expect(got).toBe(redactor.redactText(part.repeat(3000)));
  });

  it("P-04 never parts a line without end within a secret", () => {
    const text = "x".repeat(200_000);
    for (let place = 0; place < 16; place++) {
      const stream = createStreamRedactor(redactor);
      const at = text.length - MAX_MATCH_LENGTH - place;
      const first = stream.write(`${text.slice(0, at)}correct-horse${text.slice(at + 13)}`);
      expect(first.length).toBeGreaterThan(100_000);
      const result = first + stream.write("more") + stream.end();
      expect(result.replace(/x+/g, "x")).toBe("x[redacted]xmore");
    }
  });
});
