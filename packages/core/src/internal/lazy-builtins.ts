/** Node modules that take milliseconds to load: only when first used, not when this package is imported. */
export const crypto = () => process.getBuiltinModule("node:crypto");
export const zlib = () => process.getBuiltinModule("node:zlib");
