import { parseJsonc } from "@skillwright/core/internal";
import { expect, it, vi } from "vitest";

const seen = vi.hoisted(() => ({ imports: 0 }));

vi.mock("jsonc-parser/lib/umd/impl/scanner.js", async (importOriginal) => {
  seen.imports++;
  return importOriginal();
});

it("C-02 the scanner is not loaded for plain JSON", async () => {
  expect(await parseJsonc('{ "a": 1 }')).toEqual({ ok: true, value: { a: 1 } });
  expect(seen.imports).toBe(0);
  expect(await parseJsonc('{ "a": 1 } // x')).toEqual({ ok: true, value: { a: 1 } });
  expect(seen.imports).toBe(1);
});
