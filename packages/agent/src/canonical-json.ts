export { canonicalJson } from "@skillwright/core/internal";
