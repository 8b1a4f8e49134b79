"""Operations on CRM records that several tools share: create, list, compare, score, undo."""
