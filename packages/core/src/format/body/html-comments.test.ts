import { describe, expect, it } from "vitest";
import { htmlComments } from "../testing.ts";

describe("htmlComments", () => {
  it.each([
    ["a <!-- b --> c", ["<!-- b -->"]],
    ["<!-- a\nb -->", ["<!-- a\nb -->"]],
    ["<!----><!-- -->", ["<!---->", "<!-- -->"]],
    ["<!-- <!-- -->-->", ["<!-- <!-- -->"]],
    ["--> a", []],
    ["`<!-- a -->`", []],
    ["```\n<!-- a -->\n```", []],
    ["<!-- a -->\n```\n<!-- b -->\n```\n<!-- c -->", ["<!-- a -->", "<!-- c -->"]],
    ["nothing", []],
  ])("F-08 finds in %j %j", (body, comments) => {
    expect(htmlComments(body).map(({ start, end }) => body.slice(start, end))).toEqual(comments);
  });

  it("F-08 is linear", () => {
    expect(htmlComments("<!--".repeat(200_000)).length).toBeLessThanOrEqual(1);
    expect(htmlComments("<!---->\n".repeat(50_000))).toHaveLength(50_000);
  });
});
