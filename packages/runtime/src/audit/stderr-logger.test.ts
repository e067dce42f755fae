import { describe, expect, it } from "vitest";
import { createRedactor } from "../index.ts";
import { createStderrLogger, type StderrLoggerOptions } from "../internal/index.ts";

const redactor = createRedactor({ env: { API_TOKEN: "correct-horse" } });

function logged(options: Partial<StderrLoggerOptions> = {}) {
  let text = "";
  const stream = { write: (more: string) => (text += more) };
  const logger = createStderrLogger({ redactor, stream, clock: () => 0, ...options });
  return { logger, text: () => text };
}

describe("the logger", () => {
  it("P-04 writes a readable line with its context", () => {
    const { logger, text } = logged();
    logger.info("loaded skills", { directory: "/a b", count: 3, names: ["x"] });
    logger.error("failed");
    expect(text()).toBe(
      '1970-01-01T00:00:00.000Z info  loaded skills directory="/a b" count=3 names=["x"]\n' +
        "1970-01-01T00:00:00.000Z error failed\n",
    );
  });

  it.each([
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
    ["silent", []],
  ] as const)("P-04 at level %s writes what matters", (level, expected) => {
    const { logger, text } = logged({ level, format: "json" });
    for (const name of ["debug", "info", "warn", "error"] as const) logger[name]("x");
    const levels = text().split("\n").filter(Boolean);
    expect(levels.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(expected);
  });

  it("P-04 writes no secret, neither by name nor by value", () => {
    for (const format of ["text", "json"] as const) {
      const { logger, text } = logged({ format });
      logger.warn("uses correct-horse", { password: "abc", deep: { list: ["a correct-horse"] } });
      expect(text()).not.toMatch(/horse|abc/);
    }
  });

  it("P-04 keeps text from being obeyed, and JSON the same", () => {
    const hostile = "a\nb\u001B[31m\u202Ec\u009B\u{E0041}d";
    for (const format of ["text", "json"] as const) {
      const { logger, text } = logged({ format });
      logger.info(hostile, { [hostile]: hostile });
      expect(text()).toMatch(/^[\x20-\x7e]+\n$/);
      if (format === "text") continue;
      expect(JSON.parse(text())).toMatchObject({
        message: hostile,
        context: { [hostile]: hostile },
      });
    }
  });

  it("P-04 never throws", () => {
    const stream = {
      write() {
        throw new Error("EPIPE");
      },
    };
    const { logger } = logged({ stream, clock: () => Number.NaN });
    const context = {
      get broken(): never {
        throw new Error("no");
      },
    };
    expect(() => logger.info("x", context)).not.toThrow();
  });
});
