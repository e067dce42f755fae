import { plainText } from "./plain-text.mjs";

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeXml(text) {
  return plainText(text).replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark]);
}
