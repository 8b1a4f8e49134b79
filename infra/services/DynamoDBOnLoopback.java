import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import java.lang.reflect.Field;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** DynamoDB Local listens on every interface and has no option for it: this pins its connectors to loopback. */
public final class DynamoDBOnLoopback {
    public static void main(String[] arguments) throws Exception {
        DynamoDBProxyServer proxy = ServerRunner.createServerFromCommandLineArgs(arguments);
        Field server = DynamoDBProxyServer.class.getDeclaredField("server");
        server.setAccessible(true);
        for (Connector connector : ((Server) server.get(proxy)).getConnectors()) {
            ((ServerConnector) connector).setHost("127.0.0.1");
        }
        proxy.safeStart();
        proxy.join();
    }
}
