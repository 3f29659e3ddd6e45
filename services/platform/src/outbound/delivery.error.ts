/** Why nothing was sent, or no answer came. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
}
