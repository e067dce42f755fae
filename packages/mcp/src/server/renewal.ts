/**
 * Does `renew` whenever something has changed, one look after the other: who asks while a renewal is
 * under way waits for it, and looks again. One that failed is done by the next who asks.
 */
export function renewal(
  hasChanged: () => Promise<boolean> = () => Promise.resolve(false),
  renew: () => Promise<void>,
): () => Promise<void> {
  let isDue = false;
  let last: Promise<void> = Promise.resolve();
  const look = async () => {
    isDue = (await hasChanged()) || isDue;
    if (!isDue) return;
    await renew();
    isDue = false;
  };
  return () => {
    last = last.then(look, look);
    return last;
  };
}
