import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { fenceAfter, withoutCode } from "../testing.ts";

describe("withoutCode", () => {
  it.each([
    ["a `b` c", "a     c"],
    ["a ``b ` c`` d", "a           d"],
    ["a ` b", "a ` b"],
    ["a `b`` c", "a `b`` c"],
    ["`a` `b`", "       "],
    ["`` `a` ``", "         "],
    ["```\na\n```\nb", "   \n \n   \nb"],
    ["~~~ sh\na\n~~~\nb", "      \n \n   \nb"],
    ["  ```\na\n ```\nb", "     \n \n    \nb"],
    ["````\n```\na\n````\nb", "    \n   \n \n    \nb"],
    ["```\na", "   \n "],
    ["```\na\n``` b\nc\n```\nd", "   \n \n     \n \n   \nd"],
    ["    ```\na", "    ```\na"],
    ["```a`b\nc", "```a`b\nc"],
    ["好 `😀` 好", "好      好"],
  ])("F-09 makes of %j %j", (body, expected) => {
    expect(withoutCode(body)).toBe(expected);
  });

  it("F-09 keeps every place where it is", () => {
    const body = fc.string({
      unit: fc.constantFrom("`", "~", "\n", " ", "a", "😀"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(body, (body) => {
        const prose = withoutCode(body);
        expect(prose).toHaveLength(body.length);
        for (let i = 0; i < body.length; i++) {
          expect(body[i] === "\n" ? ["\n"] : [body[i], " "]).toContain(prose[i]);
        }
      }),
      { numRuns: numRuns(1000) },
    );
  });
});

describe("fenceAfter", () => {
  it("F-09 opens, stays open and closes", () => {
    expect(fenceAfter("```js", "")).toBe("```");
    expect(fenceAfter("text", "```")).toBe("```");
    expect(fenceAfter("~~~", "```")).toBe("```");
    expect(fenceAfter("``` js", "```")).toBe("```");
    expect(fenceAfter("````  ", "```")).toBe("");
    expect(fenceAfter("```", "````")).toBe("````");
    expect(fenceAfter("text", "")).toBe("");
  });
});
