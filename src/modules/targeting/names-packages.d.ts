/** The package has no types. It maps lower-case Cyrillic names to male or female. */
declare module 'ru-names' {
  const genders: Readonly<Record<string, 'm' | 'f'>>;
  export default genders;
}
