/** In message texts `[text](target)` is a link (§3.11.6), and a message may quote a skill. */
export function toMessage(text: string): { text: string } {
  return { text: text.replaceAll("](", "] (") };
}
