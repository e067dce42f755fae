/** Source files by the specifier that they are imported with. */
export const SOURCES: Readonly<Record<string, string>>;
