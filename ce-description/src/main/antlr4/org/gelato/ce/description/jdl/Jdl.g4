// The old "new-style" ClassAd record of a job description (docs/developer/protocol/jdl.md section 1). Every decision needs one
// token of lookahead, so that reading is linear in the text whatever its author had in mind.
grammar Jdl;

@lexer::members {
    // A comment with # takes a whole line: nothing but blanks may stand before it. Called with the # consumed.
    private boolean firstOnLine() {
        for (int i = -2; ; i--) {
            int c = _input.LA(i);
            if (c == IntStream.EOF || c == '\n' || c == '\r') {
                return true;
            }
            if (c != ' ' && c != '\t') {
                return false;
            }
        }
    }
}

jdl : ( record | attributes ) EOF ;

record : OPEN attributes CLOSE ;

attributes : attribute? ( SEMICOLON attribute? )* ;

attribute : NAME ASSIGN expr ;

expr
    : primary                                                          # primaryExpr
    | expr DOT NAME                                                    # select
    | op=( NOT | PLUS | MINUS ) expr                                   # unary
    | expr op=( TIMES | DIVIDE | REMAINDER ) expr                      # binary
    | expr op=( PLUS | MINUS ) expr                                    # binary
    | expr op=( LESS | LESS_EQUAL | GREATER | GREATER_EQUAL ) expr     # binary
    | expr op=( EQUAL | NOT_EQUAL | IS | IS_NOT ) expr                 # binary
    | expr op=AND expr                                                 # binary
    | expr op=OR expr                                                  # binary
    | <assoc=right> expr QUESTION expr COLON expr                      # conditional
    ;

primary
    : INTEGER
    | REAL
    | STRING
    | NAME arguments?
    | list
    | record
    | LEFT expr RIGHT
    ;

arguments : LEFT ( expr ( COMMA expr )* )? RIGHT ;

list : BEGIN ( expr ( COMMA expr )* COMMA? )? END ;

// Comments are words to be counted. A # that does not begin its line falls through to UNEXPECTED.
HASH_COMMENT  : '#' {firstOnLine()}? ~[\r\n]* -> channel(HIDDEN) ;
LINE_COMMENT  : '//' ~[\r\n]* -> channel(HIDDEN) ;
BLOCK_COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;
OPEN_COMMENT  : '/*' ( ~'*' | '*'+ ~[*/] )* '*'* ;
BLANK         : [ \t\r\n\f]+ -> skip ;

NAME    : [A-Za-z_] [A-Za-z0-9_]* ;
INTEGER : [0-9]+ ;
REAL    : [0-9]+ '.' [0-9]* EXPONENT? | '.' [0-9]+ EXPONENT? | [0-9]+ EXPONENT ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;

// A backslash is an escape only before a quote: of a run of backslashes only the last can be one.
STRING      : '"' TEXT* '"' ;
OPEN_STRING : '"' TEXT* '\\'* ;
fragment TEXT : ~["\\] | '\\'+ ~[\\] ;

OPEN : '[' ;        CLOSE : ']' ;
BEGIN : '{' ;       END : '}' ;
LEFT : '(' ;        RIGHT : ')' ;
SEMICOLON : ';' ;   COMMA : ',' ;      DOT : '.' ;
IS : '=?=' ;        IS_NOT : '=!=' ;
EQUAL : '==' ;      NOT_EQUAL : '!=' ;
LESS_EQUAL : '<=' ; GREATER_EQUAL : '>=' ;
LESS : '<' ;        GREATER : '>' ;
AND : '&&' ;        OR : '||' ;
ASSIGN : '=' ;      NOT : '!' ;
PLUS : '+' ;        MINUS : '-' ;
TIMES : '*' ;       DIVIDE : '/' ;     REMAINDER : '%' ;
QUESTION : '?' ;    COLON : ':' ;

UNEXPECTED : . ;
