import { isDeepStrictEqual } from "node:util";
import type { Narrowed, Narrowing } from "./narrowing-kinds.ts";
import type { Configuration } from "./options.ts";

type Servers = Configuration["mcpServers"];
type Server = Servers[string];

/** What a call of a tool may take where the user does not say so. */
const DEFAULT_SECONDS = 120;

/** A project may use less of a server that the user named, and names none itself. */
export const onlyLessOfServers: Narrowing<Servers> = {
  summary: "only less of a server that the user named: off, not trusted, fewer tools",
  narrow: (wanted, held): Narrowed<Servers> => {
    const entries = Object.entries(wanted).map(([label, server]) => {
      const own = Object.hasOwn(held, label) ? held[label] : undefined;
      return [label, own === undefined ? undefined : lessOf(server, own)] as const;
    });
    const kept = entries.flatMap(([label, less]) => (less?.server ? [[label, less.server]] : []));
    const isAll = entries.every(([, less]) => less?.isAll === true);
    const refused = "only the user decides which servers are started or asked, and for what";
    return {
      ...(kept.length > 0 && { value: Object.fromEntries(kept) as Servers }),
      ...(isAll ? undefined : { refused }),
    };
  },
};

function lessOf(
  wanted: Server,
  own: Server,
): { readonly server?: Server; readonly isAll: boolean } {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const less = given.filter(([key, value]) => isLess(key, value, own));
  if (less.length === 0) return { isAll: false };
  return { server: { ...own, ...Object.fromEntries(less) }, isAll: less.length === given.length };
}

function isLess(key: string, wanted: unknown, own: Server): boolean {
  if (isDeepStrictEqual(wanted, (own as Record<string, unknown>)[key])) return true;
  switch (key) {
    case "disabled":
      return wanted === true;
    case "trust":
    case "skills":
      return wanted === false;
    case "tools":
      return areFewer(wanted, own.tools ?? true);
    case "readOnlyTools":
      return areFewer(wanted, own.readOnlyTools ?? false);
    case "timeoutSeconds":
      return typeof wanted === "number" && wanted <= (own.timeoutSeconds ?? DEFAULT_SECONDS);
    default:
      return false;
  }
}

/** `true` is all of them, `false` none. */
function areFewer(wanted: unknown, own: boolean | readonly string[]): boolean {
  if (wanted === false || own === true) return true;
  const allowed = own === false ? [] : own;
  return Array.isArray(wanted) && wanted.every((name) => allowed.includes(name as string));
}
