import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { isFurtherInside, isLoopbackName, reachOf } from "./address-reach.ts";
import type { WebContext } from "./web-context.ts";

/**
 * Whether an address that was found – by a redirection or in an index – may be asked. The check
 * comes before the request and cannot hold the connection to it: `fetch` looks names up itself.
 */
export async function checkStep(
  target: URL,
  { start, lookup }: WebContext,
): Promise<PackFailure | undefined> {
  const shown = foreignText(target.href);
  const isPlain = target.protocol === "http:";
  if (target.protocol !== "https:" && !(isPlain && isLoopbackName(target.hostname))) {
    return refused(`${shown} is not encrypted`);
  }
  if (isPlain && start.protocol === "https:") return refused(`${shown} is not encrypted`);
  if (target.username !== "" || target.password !== "") {
    return refused(`${shown} holds credentials`);
  }
  if (target.hostname === start.hostname) return undefined;
  const reach = await reachOf(target.hostname, lookup);
  if (reach === "public") return undefined;
  if (!isFurtherInside(reach, await reachOf(start.hostname, lookup))) return undefined;
  return refused(`${shown} leads to a ${reach} address`);
}

function refused(reason: string): PackFailure {
  return sourceFailure("source-unreachable", `the source leads where it must not: ${reason}`, {
    hint: "Give the address itself as the source if it is to be trusted.",
  });
}
