import { describe, expect, it } from "vitest";
import { tokenSamples } from "../../../../../bench/token-samples.ts";
import { estimateTokens } from "../../internal/index.ts";

const MEGABYTE = 1 << 20;

describe("F-09 estimateTokens", () => {
  it.each(tokenSamples)("F-09 is close to the real count: $kind", (sample) => {
    const error = Math.abs(estimateTokens(sample.text) - sample.tokens) / sample.tokens;
    expect(error).toBeLessThanOrEqual(sample.within ?? 0.15);
  });

  it("F-09 is close over all texts together, so that errors do not add up", () => {
    const real = tokenSamples.reduce((sum, sample) => sum + sample.tokens, 0);
    const estimated = tokenSamples.reduce((sum, sample) => sum + estimateTokens(sample.text), 0);
    expect(Math.abs(estimated - real) / real).toBeLessThanOrEqual(0.05);
  });

  it("F-09 counts nothing in an empty text and a whole number in any other", () => {
    expect(estimateTokens("")).toBe(0);
    for (const text of ["a", " ", "\n", "7", "。", "好", "🚀", "\ud83d"]) {
      const tokens = estimateTokens(text);
      expect(Number.isInteger(tokens)).toBe(true);
      expect(tokens).toBeGreaterThanOrEqual(1);
      expect(tokens).toBeLessThanOrEqual(3);
    }
  });

  it.each(tokenSamples)("F-09 grows with the text: $kind", ({ text }) => {
    const counts = [0.25, 0.5, 0.75, 1].map((part) =>
      estimateTokens(text.slice(0, Math.floor(text.length * part))),
    );
    expect(counts).toEqual(counts.toSorted((left, right) => left - right));
    expect(estimateTokens(text + text) / (2 * estimateTokens(text))).toBeCloseTo(1, 1);
  });

  it.each([
    ["one long word", "a".repeat(MEGABYTE)],
    ["one mark", "-".repeat(MEGABYTE)],
    ["alternating marks", "-=".repeat(MEGABYTE / 2)],
    ["spaces", " ".repeat(MEGABYTE)],
    ["line ends", "\r\n".repeat(MEGABYTE / 2)],
    ["alternating case", "aA".repeat(MEGABYTE / 2)],
    ["one line of words", "word ".repeat(MEGABYTE / 5)],
    ["one Han character", "好".repeat(MEGABYTE)],
    ["lone surrogates", "\udc00\ud800".repeat(MEGABYTE / 2)],
  ])("F-09 takes a megabyte of anything: %s", (_kind, text) => {
    const tokens = estimateTokens(text);
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(2 * text.length);
  });

  it("F-09 takes UTF-16 units in any order, lone surrogates among them", () => {
    let state = 1;
    let text = "";
    while (text.length < 1 << 16) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      text += String.fromCharCode(state >>> 16);
    }
    const tokens = estimateTokens(text);
    expect(tokens).toBeGreaterThan(text.length / 4);
    expect(tokens).toBeLessThan(2 * text.length);
  });
});
