/*
 * What the server tells the board. This file imports nothing: the board inlines it.
 */

/** The name of the element in the board's page whose content is {@link BoardSettings}, as JSON. */
export const boardSettingsName = "board-settings";

export interface BoardSettings {
  /** What the shelter calls its board. */
  name: string;
  /**
   * The names of categories, in the operator's order: the name that is shown, and other words for
   * it.
   */
  categoryNames: readonly (readonly [
    categoryId: string,
    names: readonly [name: string, ...otherWords: string[]],
  ])[];
  /** Whether a link with a key in its fragment signs in. */
  hasSignInLinks: boolean;
}
