/** As many of the first elements as their texts fit into so many bytes. */
export function fitList<T>(
  elements: readonly T[],
  maxBytes: number,
  textOf: (element: T) => string,
): { readonly fitting: readonly T[]; readonly left: number } {
  let bytes = 0;
  const end = elements.findIndex((element) => {
    bytes += Buffer.byteLength(textOf(element)) + 1;
    return bytes > maxBytes;
  });
  const count = end === -1 ? elements.length : end;
  return { fitting: elements.slice(0, count), left: elements.length - count };
}
