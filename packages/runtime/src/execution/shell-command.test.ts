import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellCommand } from "./index.ts";

it("X-03 a shell gives back every word as it was", () => {
  const word = fc.string({
    unit: fc.constantFrom(..."ab'\"\\$`!*?~#;&|<>(){}[] \n\t\r-=é".split("")),
  });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const command = shellCommand(["/usr/bin/printf", "%s\\0", ...words]);
      const output = execFileSync("/bin/sh", ["-c", command], { encoding: "utf8", env: {} });
      expect(output.split("\0").slice(0, -1)).toEqual(words);
    }),
    { numRuns: 40 },
  );
});
