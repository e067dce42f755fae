import { describe, expect, it } from "vitest";
import { OutputCapture } from "../../execution/index.ts";
import { createRedactor } from "../../index.ts";
import { redactCutOutput } from "../index.ts";

const SECRET = "correct-horse-battery-staple";
const redactor = createRedactor({ env: { A_TOKEN: SECRET } });

/** What is kept of an output within the cap, without secrets. */
function kept(text: string, cap: number): string {
  const capture = new OutputCapture(cap);
  capture.write(Buffer.from(text));
  return redactCutOutput(capture.end().text, redactor);
}

/** Whether some part of the secret that is worth something is there. */
function shows(text: string): boolean {
  return Array.from({ length: SECRET.length - 5 }, (_, i) => SECRET.slice(i, i + 6)).some((part) =>
    text.includes(part),
  );
}

describe("an output whose middle is left out", () => {
  it("P-04 shows no part of a secret, wherever the cut parts it", () => {
    const text = `begin\n${`token is ${SECRET} as said\n`.repeat(40)}end\n`;
    for (let cap = 20; cap < 400; cap++) expect(shows(kept(text, cap)), String(cap)).toBe(false);
  });

  it("P-04 nor where there are no lines", () => {
    const text = `begin ${"x".repeat(3000)}${SECRET.repeat(50)}${"y".repeat(3000)} end`;
    for (let cap = 5900; cap < 6200; cap += 3) {
      expect(shows(kept(text, cap)), String(cap)).toBe(false);
    }
    expect(kept(text, 6100)).toMatch(/^begin x+\n\[… \d+ bytes left out …\]\ny+ end$/);
  });

  it("P-04 nor the rest of a private key", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"abcdEFGH0123\n".repeat(200)}-----END PRIVATE KEY-----\n`;
    expect(kept(`begin\n${key}end\n`, 400)).toMatch(
      /^begin\n\[redacted\]\n?\[… \d+ bytes left out …\]\nend\n$/,
    );
  });

  it("P-04 counts what is left out besides, and says so when nothing is", () => {
    const lines = "0123456789\n".repeat(100);
    const text = kept(lines, 100);
    const left = Number(/(\d+) bytes left out/.exec(text)?.[1]);
    expect(text.replace(/\[….*\n/, "").length + left).toBe(lines.length);
    expect(kept("a\nb\n", 100)).toBe("a\nb\n");
  });

  it("P-04 also where a script shows an output that was cut before", () => {
    const inner = "\n[… 7 bytes left out …]\n";
    const text = `a\nb${inner}c\nd\n${`token is ${SECRET}\n`.repeat(100)}end\n`;
    for (let cap = 80; cap < 200; cap++) expect(shows(kept(text, cap)), String(cap)).toBe(false);
    expect(kept(text, 1000)).toContain("left out …]\nd\n");
  });
});
