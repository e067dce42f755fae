import { listOf, parseJson, property, textOf } from "../http/json.ts";
import { readWholeBody } from "../http/read-body.ts";

const TAGS = "http://127.0.0.1:11434/api/tags";
const TIMEOUT_MS = 300;
const MAX_BYTES = 1024 * 1024;

/** The models of a local Ollama, the latest first; none when there is no Ollama. Does not throw. */
export async function findOllama(
  fetch: typeof globalThis.fetch,
  timeout: (milliseconds: number) => AbortSignal = (milliseconds) =>
    AbortSignal.timeout(milliseconds),
): Promise<readonly string[]> {
  const signal = timeout(TIMEOUT_MS);
  try {
    const response = await fetch(TAGS, { redirect: "manual", signal });
    if (!response.ok) return [];
    const body = parseJson(await readWholeBody(response.body, MAX_BYTES));
    return listOf(property(body, "models"))
      .map((model) => textOf(property(model, "name")) ?? "")
      .filter((name) => /^[\w./:-]{1,200}$/.test(name) && !/embed/i.test(name));
  } catch {
    return [];
  }
}
