import java.time.Duration;
import org.hakam.client.BlockingGame;
import org.hakam.client.BlockingHakam;
import org.hakam.client.Hakam;
import org.hakam.client.IllegalMoveException;
import org.hakam.v1.Rules;
import org.hakam.v1.TjauRules;

final class FirstCallInJava {
    public static void main(String[] args) {
        String address = args.length > 0 ? args[0] : "127.0.0.1:50051";
        try (BlockingHakam hakam =
                Hakam.builder(address).plaintext().timeout(Duration.ofSeconds(5)).build().blocking()) {
            BlockingGame game =
                    hakam.newGame(Rules.newBuilder().setTjau(TjauRules.getDefaultInstance()).build());
            System.out.println(game.view().getText());
            try {
                game.play("enter");
            } catch (IllegalMoveException refused) {
                System.out.println(refused.getReason() + ": " + refused.getText());
            }
            System.out.println(game.play(game.moves().get(0).getMove()).getNotation());
        }
    }
}
