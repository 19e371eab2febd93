import { Language } from "./gen/hakam/v1/language_pb.js";

/** A language of texts for people. */
export type LanguageName = "en" | "ar";

export const LANGUAGES: Record<LanguageName, Language> = { en: Language.EN, ar: Language.AR };
