import type { ModelCall, ModelRequest } from "../model.ts";

interface WiredRequest {
  /** The request with names that every service takes. */
  readonly wired: ModelRequest;
  /** Gives a call the name of its action back. */
  readonly restore: (call: ModelCall) => ModelCall;
}

/** Services refuse a request for one name with a dot or a slash, as tools of other servers have. */
export function wireNames(request: ModelRequest): WiredRequest {
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  // Names that are fine stay as they are, so that others make room for them.
  const names = request.actions.map(({ name }) => name);
  for (const name of names) if (wireName(name) === name) fromWire.set(name, name);
  for (const name of names) {
    if (fromWire.has(name)) continue;
    const plain = wireName(name);
    let wire = plain;
    for (let count = 2; fromWire.has(wire); count++) wire = `${plain.slice(0, 58)}_${count}`;
    fromWire.set(wire, name);
    toWire.set(name, wire);
  }
  if (toWire.size === 0) return { wired: request, restore: (call) => call };
  const rename = <Named extends { readonly name: string }>(named: Named): Named => ({
    ...named,
    name: toWire.get(named.name) ?? named.name,
  });
  const messages = request.messages.map((message) =>
    message.role === "assistant" && message.calls !== undefined
      ? { ...message, calls: message.calls.map(rename) }
      : message,
  );
  return {
    wired: { ...request, actions: request.actions.map(rename), messages },
    restore: (call) => ({ ...call, name: fromWire.get(call.name) ?? call.name }),
  };
}

export function wireName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
}
